import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { FolderVersion } from '../shared/files/folder-version.ts';
import { type PartRevision, presentRevision } from '../shared/requests/part-revision.ts';
import { fold } from '../shared/search-text.ts';
import { compareByCodePoint } from '../shared/text.ts';
import { archiveStem } from './archive-name.ts';

/** Maximum age of the listing in milliseconds. After this time the area is checked for changes. */
const freshMs = 1_000;

interface Listing {
  readonly version: string | null;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  /** All names, as a list; null until first needed. */
  list: ArchiveList | null;
  /**
   * True if every later change of the area gives the area another version. That is certain once the
   * area has been unchanged long enough.
   */
  readonly isStable: boolean;
}

/**
 * Caches the names of an area's archives, by stem. A change made through this program shows at
 * once; a manually added file shows within a second. Listing many names is slow, so the area is
 * listed again only after a change.
 */
export class ArchiveNames {
  readonly #area: FileArea;
  readonly #clock: Clock;
  readonly #folder: FolderVersion;
  readonly #revision: PartRevision;
  #checkedRevision: number | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #listing: Promise<Listing> | null = null;

  /** `revision` must change whenever this program changes an archive. */
  constructor(parts: { area: FileArea; clock: Clock; revision: PartRevision }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
    this.#revision = parts.revision;
    this.#folder = new FolderVersion(parts);
  }

  /**
   * Returns the names that have one of these stems, in no particular order. The files are not
   * checked. A returned name may therefore belong to a removed file, or not to a regular file.
   */
  async find(stems: ReadonlySet<string>): Promise<string[]> {
    const { byStem } = await this.#current();
    return [...stems].flatMap((stem) => byStem.get(stem) ?? []);
  }

  /** Returns all names. The files are not checked. */
  async list(): Promise<ArchiveList> {
    const listing = await this.#current();
    listing.list ??= new ArchiveList([...listing.byStem.values()].flat());
    return listing.list;
  }

  /**
   * Makes the next call check the area for changes. Must be called after this process changed an
   * archive, so that the next result includes the change.
   */
  invalidate(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns the listing. If it may be outdated, checks the area for changes first. Concurrent
   * callers share one check.
   */
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
    const { version, isStable } = await this.#folder.check();
    const known = await last?.catch(() => null);
    if (known?.isStable && known.version === version) return known;
    return { version, isStable, byStem: await this.#read(), list: null };
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

/**
 * A searchable list of archive names. Caches the folded form of the names that searches compare.
 */
class ArchiveList {
  /** The names, ordered by code point. */
  readonly names: readonly string[];
  #folded: readonly string[] | null = null;

  constructor(names: readonly string[]) {
    this.names = names.toSorted(compareByCodePoint);
  }

  /**
   * Returns the names that contain every word of a query. Case and accents are ignored. Returns all
   * names for an empty query.
   */
  find(query: string): readonly string[] {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.names;
    this.#folded ??= this.names.map(fold);
    const folded = this.#folded;
    return this.names.filter((_name, at) => words.every((word) => folded[at]?.includes(word)));
  }
}
