import type { Clock } from '../shared/clock.ts';
import { CatalogError, libraryDownloadsOff } from '../shared/errors.ts';
import type { Viewer } from '../shared/requests/viewer.ts';
import { DeviceTree, type OpenedTreeFile } from './device-tree.ts';
import { MadeFiles } from './made-files.ts';
import type {
  TreeContents,
  TreeDownloads,
  TreeProfiles,
  TreeSet,
  TreeSets,
  TreeSources,
} from './ports.ts';
import { planTree } from './tree-plan.ts';
import { TreePlans } from './tree-plans.ts';
import { WeightedCache } from './weighted-cache.ts';

/** Limit of the memory of one plan, and of all cached plans, in bytes. */
const maxPlanBytes = 96 * 1_048_576;
/** Time in which a user's reads of a file count as one download, in milliseconds. */
const sameDownloadMs = 3_600_000;
/** Maximum number of downloads that are recorded for this purpose. */
const maxDownloads = 10_000;

/**
 * The trees that builds write to folders, for reading over the network. A tree is planned once for
 * each user, set and device, and again when the catalogue, the library or a cover changes.
 */
export class DeviceTrees {
  readonly #sets: TreeSets;
  readonly #profiles: TreeProfiles;
  readonly #sources: TreeSources;
  readonly #downloads: TreeDownloads;
  readonly #contents: TreeContents;
  readonly #revision: () => Promise<string>;
  readonly #clock: Clock;
  readonly #plans: TreePlans;
  readonly #made: MadeFiles;
  /** The time when each download was recorded. */
  readonly #recorded = new WeightedCache<number>(maxDownloads);

  constructor(parts: {
    sets: TreeSets;
    profiles: TreeProfiles;
    sources: TreeSources;
    downloads: TreeDownloads;
    contents: TreeContents;
    /** Returns a text that changes with the catalogue, the library and the covers. */
    revision: () => Promise<string>;
    clock: Clock;
  }) {
    this.#sets = parts.sets;
    this.#profiles = parts.profiles;
    this.#sources = parts.sources;
    this.#downloads = parts.downloads;
    this.#contents = parts.contents;
    this.#revision = parts.revision;
    this.#clock = parts.clock;
    this.#plans = new TreePlans({ clock: parts.clock, maxWeight: maxPlanBytes });
    this.#made = new MadeFiles(parts);
  }

  /**
   * Returns the sets that a viewer sees, ordered by name, then by id. Throws
   * `library downloads are off`.
   */
  async sets(viewer: Viewer): Promise<readonly TreeSet[]> {
    this.#checkIsOn();
    return this.#sets.list(viewer);
  }

  /** Returns the set with this id or name. Throws `not found` and `library downloads are off`. */
  async set(idOrName: string, viewer: Viewer): Promise<TreeSet> {
    this.#checkIsOn();
    const { id, name } = await this.#sets.open(idOrName, viewer);
    return { id, name };
  }

  /**
   * Returns true if a viewer still sees the set with this id or name. Also returns true for
   * undefined. Throws `library downloads are off`.
   */
  async sees(idOrName: string | undefined, viewer: Viewer): Promise<boolean> {
    if (idOrName === undefined) return true;
    try {
      await this.set(idOrName, viewer);
      return true;
    } catch (error) {
      if (error instanceof CatalogError && error.kind === 'not-found') return false;
      throw error;
    }
  }

  /** Returns the ids of the profiles. */
  profiles(): readonly string[] {
    return this.#profiles.list().map(({ id }) => id);
  }

  /**
   * Opens the tree of the set with this id or name. If the client leaves while the tree is planned,
   * and no other client waits for it, the planning stops. Throws `not found`, `no such profile`,
   * `library downloads are off`, `the tree is too large` and `busy`.
   */
  async open(
    { set: idOrName, profile }: { readonly set: string; readonly profile: string },
    viewer: Viewer,
  ): Promise<DeviceTree> {
    this.#checkIsOn();
    const set = await this.#sets.open(idOrName, viewer);
    this.#profiles.get(profile);
    const version = {
      slot: JSON.stringify([set.id, profile, viewer]),
      rule: set.key,
      revision: await this.#revision(),
    };
    const { root } = await this.#plans.get(version, ({ signal, previous }) =>
      planTree(set.readTree(profile), {
        ...{ sources: this.#sources, signal, previous },
        now: this.#clock.now(),
        maxWeight: maxPlanBytes,
      }),
    );
    const { openBytes } = this.#contents;
    return new DeviceTree({ root, made: this.#made, downloads: this.#downloads, openBytes });
  }

  /**
   * Records that a user reads a game's file, at most once an hour: many clients read a file in many
   * parts. Does nothing for all other files.
   */
  recordDownload({ library }: OpenedTreeFile, userId: number): void {
    if (library === null) return;
    const key = `${userId} ${library.id}`;
    const now = this.#clock.monotonic();
    const last = this.#recorded.get(key);
    if (last !== undefined && now - last < sameDownloadMs) return;
    this.#recorded.set(key, now, 1);
    this.#downloads.recordDownload(library, userId);
  }

  #checkIsOn(): void {
    if (!this.#downloads.isOn) throw libraryDownloadsOff();
  }
}
