import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/file-area.ts';
import { FolderVersion } from '../shared/folder-version.ts';
import { type PartRevision, presentRevision } from '../shared/part-revision.ts';
import { ArchiveList } from './archive-list.ts';
import { archiveStem } from './archive-name.ts';

/** Maximum age of the names, in milliseconds. */
const freshMs = 1_000;

interface Listing {
  readonly version: string | null;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  /** Created on first use. */
  list: ArchiveList | null;
  /** Whether the area was unchanged for so long that no later change can have the same version. */
  readonly isSettled: boolean;
}

/**
 * The names of an area by their stems. Manually added files show within a second, other changes at
 * once. The area is listed again only after a change, because listing many names is slow.
 */
export class ArchiveNames {
  readonly #area: FileArea;
  readonly #clock: Clock;
  readonly #folder: FolderVersion;
  readonly #revision: PartRevision;
  #checkedRevision: number | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #listing: Promise<Listing> | null = null;

  /** `revision` is that of the archives. */
  constructor(parts: { area: FileArea; clock: Clock; revision: PartRevision }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
    this.#revision = parts.revision;
    this.#folder = new FolderVersion(parts);
  }

  /**
   * Returns the names that have one of these stems, in no particular order. A name may belong to
   * something that is not a file, or is gone.
   */
  async find(stems: ReadonlySet<string>): Promise<string[]> {
    const { byStem } = await this.#current();
    return [...stems].flatMap((stem) => byStem.get(stem) ?? []);
  }

  /** Returns all names, without checking their files. */
  async list(): Promise<ArchiveList> {
    const listing = await this.#current();
    listing.list ??= new ArchiveList([...listing.byStem.values()].flat());
    return listing.list;
  }

  /** Call it after a change by this process, so that the next result includes the change. */
  forget(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /** Concurrent callers share one listing. */
  async #current(): Promise<Listing> {
    const revision = await presentRevision(this.#revision);
    const now = this.#clock.monotonic();
    const isFresh = now - this.#checkedAt < freshMs && revision === this.#checkedRevision;
    if (this.#listing === null || !isFresh) {
      this.#checkedAt = now;
      this.#checkedRevision = revision;
      const listing = this.#check(this.#listing);
      this.#listing = listing;
      listing.catch(() => {
        if (this.#listing === listing) this.#listing = null;
      });
    }
    return this.#listing;
  }

  async #check(last: Promise<Listing> | null): Promise<Listing> {
    const { version, isSettled } = await this.#folder.look();
    const known = await last?.catch(() => null);
    if (known?.isSettled && known.version === version) return known;
    return { version, isSettled, byStem: await this.#read(), list: null };
  }

  async #read(): Promise<Map<string, string[]>> {
    const byStem = new Map<string, string[]>();
    for await (const name of this.#area.names()) {
      const stem = archiveStem(name);
      const others = byStem.get(stem);
      if (others === undefined) byStem.set(stem, [name]);
      else others.push(name);
    }
    return byStem;
  }
}
