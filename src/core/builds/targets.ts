import type { Clock } from '../shared/clock.ts';
import { refused } from '../shared/errors.ts';
import type { BuildReport } from './build-report.ts';
import {
  type LastBuild,
  type NamedTarget,
  type StoredTarget,
  seenMs,
  type TargetFolders,
  type TargetRecords,
} from './target-ports.ts';

/** The tree of a target. */
type Tree = Pick<LastBuild, 'setId' | 'set' | 'profile' | 'unpacks'>;

/** Interval at which this host records that it still has its targets, in milliseconds. */
const refreshMs = 60_000;

/** A target as it is shown. */
export interface ShownTarget {
  readonly name: string;
  /** The host of the folder. Null if it is this host. */
  readonly host: string | null;
  /** The folder; null for a target of another host. */
  readonly folder: string | null;
  /** False if the folder is missing. Null for a target of another host. */
  readonly isPresent: boolean | null;
  readonly last: LastBuild | null;
}

/**
 * The folders of the operator in which jobs build trees. Users refer to a folder by its name. A
 * name belongs to one host only, because several hosts would write to different folders.
 */
export class Targets {
  readonly #named: readonly NamedTarget[];
  readonly #host: string;
  readonly #clock: Clock;
  readonly #records: TargetRecords;
  readonly #folders: TargetFolders;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | null = null;
  #hasFailed = false;

  constructor(parts: {
    /** The targets in the settings of this host. */
    named: readonly NamedTarget[];
    host: string;
    clock: Clock;
    records: TargetRecords;
    folders: TargetFolders;
    /**
     * Called if another host has one of the targets now, or if the targets cannot be recorded. If
     * this happens repeatedly, this is called once.
     */
    onFailure: (error: unknown) => void;
  }) {
    this.#named = parts.named;
    this.#host = parts.host;
    this.#clock = parts.clock;
    this.#records = parts.records;
    this.#folders = parts.folders;
    this.#onFailure = parts.onFailure;
  }

  /**
   * Records the targets of this host, again and again until `close` is called, so that servers of
   * other hosts offer them too. Throws refused() if another host has one of them, or if no tree may
   * be built in a folder. A folder may be missing, such as one of a memory card.
   */
  async begin(): Promise<void> {
    for (const { name, folder } of this.#named) {
      await this.#folders.check(folder).catch((error: Error) => {
        throw refused(`--target: "${name}": ${error.message}`, error);
      });
    }
    const names = this.#named.map(({ name }) => name);
    const known = (await this.#records.list()).filter(({ host }) => host === this.#host);
    const isShared = this.#host !== '';
    if (isShared || !names.every((name) => known.some((each) => each.name === name))) {
      await this.#claim(names).catch(async (error) => {
        await this.#records.forgetOthers(known.map(({ name }) => name));
        throw error;
      });
    }
    await this.#records.forgetOthers(names);
    if (isShared && names.length > 0) {
      this.#timer = setInterval(() => void this.refresh(), refreshMs).unref();
    }
  }

  /**
   * Records that this host still has its targets. Never rejects. Takes back a target that another
   * host took while this host was not seen, if that other host is no longer seen.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#claim(this.#named.map(({ name }) => name))
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.#onFailure(error);
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#refreshing = null;
      });
    return this.#refreshing;
  }

  /** Stops recording that this host has its targets. Other hosts still offer them for `seenMs`. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#refreshing;
  }

  async #claim(names: readonly string[]): Promise<void> {
    const [taken] = await this.#records.claim(names);
    if (taken === undefined) return;
    throw refused(
      `--target: "${taken.name}" is a target of the host ${taken.host}, which was seen in the last ${seenMs / 60_000} minutes: choose another name, or stop the server of that host and wait`,
    );
  }

  /**
   * Returns the targets of this host, then those of other hosts that are seen. Both are ordered by
   * name.
   */
  async list(): Promise<ShownTarget[]> {
    const rows = new Map((await this.#records.list()).map((row) => [row.name, row]));
    const own: ShownTarget[] = [];
    for (const { name, folder } of this.#named) {
      const row = rows.get(name);
      if (!this.#isOwn(row)) continue;
      const isPresent = await this.#folders.exists(folder);
      own.push({ name, host: null, folder, isPresent, last: row?.last ?? null });
    }
    const others = [...rows.values()].filter((row) => this.#isElsewhere(row));
    return [
      ...own.sort((one, other) => (one.name < other.name ? -1 : 1)),
      ...others.map(({ name, host, last }) => ({
        ...{ name, host, folder: null, isPresent: null, last },
      })),
    ];
  }

  /** Returns the host that builds in a target. Null for an unknown target. */
  async hostOf(name: string): Promise<string | null> {
    const row = (await this.#records.list()).find((each) => each.name === name);
    if (this.#isOwn(row) && this.#named.some((each) => each.name === name)) return this.#host;
    return row !== undefined && this.#isElsewhere(row) ? row.host : null;
  }

  /** Returns false if the name of a target belongs to another host. */
  #isOwn(row: StoredTarget | undefined): boolean {
    return row === undefined || row.host === this.#host;
  }

  #isElsewhere({ host, isSeen }: StoredTarget): boolean {
    return host !== this.#host && isSeen;
  }

  /**
   * Returns the folder of a target of this host. Throws refused() if there is no such target, if
   * another host has its name by now, or if its folder is missing, because a build would otherwise
   * create the folder on the disk of this host.
   */
  async getFolder(name: string): Promise<string> {
    const target = this.#named.find((each) => each.name === name);
    if (target === undefined) throw refused(`this server has no target "${name}"`);
    const row = (await this.#records.list()).find((each) => each.name === name);
    if (row !== undefined && !this.#isOwn(row)) {
      throw refused(`"${name}" is a target of the host ${row.host} now: choose another name here`);
    }
    if (await this.#folders.exists(target.folder)) return target.folder;
    throw refused(`the folder of the target "${name}" is missing: connect the device`);
  }

  /** Records that a build has begun. This record remains if the build is not completed. */
  async recordBegin(name: string, tree: Tree): Promise<void> {
    const builtAt = this.#clock.timestamp();
    const none = { files: null, problems: 0, leftOut: 0 };
    await this.#records.record(name, { ...tree, ...none, builtAt });
  }

  /** Records a build, so that the last one is known while the device is not connected. */
  async recordBuild(
    name: string,
    tree: Tree,
    { steps, problems, leftOut }: BuildReport,
  ): Promise<void> {
    await this.#records.record(name, {
      ...tree,
      builtAt: this.#clock.timestamp(),
      files: steps.filter(({ step }) => step !== 'remove').length,
      problems: problems.length,
      leftOut: leftOut.length,
    });
  }

  /** Records that a target has no tree any more. */
  async recordUndo(name: string): Promise<void> {
    await this.#records.record(name, null);
  }
}
