import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { type PartRevision, presentRevision } from '../shared/requests/part-revision.ts';
import { findCover } from './cover-files.ts';
import { CoverFolderListing } from './cover-folder-listing.ts';
import { coverTag } from './cover-tag.ts';
import type { ImageType } from './image-type.ts';

/** Maximum age of a tag, in milliseconds. */
const maxAgeMs = 1_000;
/**
 * Number of releases for which one listing of the folder is faster than a lookup of each possible
 * file. A page of a list has fewer.
 */
const minReleasesToList = 400;

/**
 * Caches the tags of covers. A change made through this program shows at once; a manually added
 * file shows within a second. Each file is looked up at most once per second, for all callers
 * together.
 */
export class CoverTags {
  readonly #area: FileArea;
  readonly #clock: Clock;
  readonly #listing: CoverFolderListing;
  readonly #revision: PartRevision;
  /**
   * The tags looked up since the last check of the folder, by release id; null if there is no
   * cover.
   */
  #tags = new Map<number, Promise<string | null>>();
  /**
   * The image types of all covers, listed since the last check of the folder. Null if the folder
   * was not listed since then.
   */
  #types: Promise<ReadonlyMap<number, readonly ImageType[]>> | null = null;
  #check: Promise<void> = Promise.resolve();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checkedRevision: number | undefined;

  /** `revision` must change whenever this program changes a cover. */
  constructor(parts: { area: FileArea; clock: Clock; revision: PartRevision }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
    this.#revision = parts.revision;
    this.#listing = new CoverFolderListing(parts);
  }

  /**
   * Returns the tags of these releases' covers, by release id. Releases without a cover are absent.
   */
  async tagsOf(releaseIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const revision = await presentRevision(this.#revision);
    const now = this.#clock.monotonic();
    if (now - this.#checkedAt >= maxAgeMs || revision !== this.#checkedRevision) {
      this.#checkedAt = now;
      this.#checkedRevision = revision;
      this.#tags = new Map();
      this.#types = null;
      this.#check = this.#listing.refreshInBackground();
    }
    await this.#check;
    const isListing = releaseIds.length >= minReleasesToList && !this.#listing.isCurrent;
    if (isListing) this.#types ??= this.#listing.readTypes();
    // If the listing fails, look up each file instead.
    const types = isListing ? await this.#types?.catch(() => null) : null;
    const found = new Map<number, string>();
    const addTag = async (id: number) => {
      const tag = await this.#tagOf(id, types ? (types.get(id) ?? []) : this.#listing.typesOf(id));
      if (tag !== null) found.set(id, tag);
    };
    await Promise.all(releaseIds.map(addTag));
    return found;
  }

  /**
   * Makes the next call of `tagsOf` read all tags again. Must be called after this process changed
   * covers, so that `tagsOf` includes the change.
   */
  invalidate(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /** Resolves when no listing of the folder is in progress. */
  async close(): Promise<void> {
    await this.#listing.close();
  }

  #tagOf(releaseId: number, types: readonly ImageType[]): Promise<string | null> {
    const known = this.#tags.get(releaseId);
    if (known !== undefined) return known;
    const tag = this.#readTag(releaseId, types);
    const tags = this.#tags;
    tags.set(releaseId, tag);
    tag.catch(() => tags.delete(releaseId)); // the next caller repeats the lookup
    return tag;
  }

  async #readTag(releaseId: number, types: readonly ImageType[]): Promise<string | null> {
    const cover = await findCover(this.#area, releaseId, types);
    return cover && coverTag(cover.file);
  }
}
