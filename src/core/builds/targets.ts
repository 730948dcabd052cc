import type { Clock } from '../shared/clock.ts';
import { refused } from '../shared/errors.ts';
import type { BuildReport } from './build-report.ts';
import type { LastBuild, NamedTarget, TargetFolders, TargetRecords } from './target-ports.ts';

/** The tree of a target. */
type Tree = Pick<LastBuild, 'setId' | 'set' | 'profile'>;

/** A target as it is shown. */
export interface ShownTarget {
  readonly name: string;
  /** The host that has the folder, if it is not this one; else null. */
  readonly host: string | null;
  /** The folder; null for a target of another host. */
  readonly folder: string | null;
  /** False if the folder is missing. Null for a target of another host. */
  readonly isPresent: boolean | null;
  readonly last: LastBuild | null;
}

/** The folders of the operator that jobs build trees in. Users know them by their names. */
export class Targets {
  readonly #named: readonly NamedTarget[];
  readonly #host: string;
  readonly #clock: Clock;
  readonly #records: TargetRecords;
  readonly #folders: TargetFolders;

  constructor(parts: {
    /** The targets in the settings of this host. */
    named: readonly NamedTarget[];
    host: string;
    clock: Clock;
    records: TargetRecords;
    folders: TargetFolders;
  }) {
    this.#named = parts.named;
    this.#host = parts.host;
    this.#clock = parts.clock;
    this.#records = parts.records;
    this.#folders = parts.folders;
  }

  /**
   * Records which targets this host has, so that servers of other hosts offer them too. Throws
   * refused() for a folder in which no tree may be built. A folder may be missing, such as one of a
   * memory card.
   */
  async begin(): Promise<void> {
    for (const { name, folder } of this.#named) {
      await this.#folders.check(folder).catch((error: Error) => {
        throw refused(`--target: "${name}": ${error.message}`, error);
      });
    }
    await this.#records.register(this.#named.map(({ name }) => name));
  }

  /** Returns the targets of this host, then those that only other hosts have, each by name. */
  async list(): Promise<ShownTarget[]> {
    const rows = await this.#records.list();
    const own = await Promise.all(
      this.#named.map(async ({ name, folder }): Promise<ShownTarget> => {
        const row = rows.find((each) => each.name === name && each.host === this.#host);
        const isPresent = await this.#folders.exists(folder);
        return { name, host: null, folder, isPresent, last: row?.last ?? null };
      }),
    );
    const shown = new Map(own.sort(byName).map((each) => [each.name, each]));
    for (const { name, host, last } of rows) {
      const isOther = host !== this.#host && !shown.has(name);
      if (isOther) shown.set(name, { name, host, folder: null, isPresent: null, last });
    }
    return [...shown.values()];
  }

  /** Returns the host that builds in a target: this one if it can. Null for an unknown target. */
  async hostOf(name: string): Promise<string | null> {
    if (this.#named.some((each) => each.name === name)) return this.#host;
    const rows = await this.#records.list();
    return rows.find((each) => each.name === name && each.host !== this.#host)?.host ?? null;
  }

  /**
   * Returns the folder of a target of this host. Throws refused() if there is no such target, or if
   * its folder is missing: a build would else create it on the disk of this host.
   */
  async getFolder(name: string): Promise<string> {
    const target = this.#named.find((each) => each.name === name);
    if (target === undefined) throw refused(`this server has no target "${name}"`);
    if (await this.#folders.exists(target.folder)) return target.folder;
    throw refused(`the folder of the target "${name}" is missing: connect the device`);
  }

  /** Records that a build has begun. It stays so if the build is not completed. */
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

function byName(one: ShownTarget, other: ShownTarget): number {
  return one.name < other.name ? -1 : 1;
}
