import type { Clock } from '../shared/clock.ts';
import { Limiter } from '../shared/concurrency/limiter.ts';
import { busy, noCover } from '../shared/errors.ts';
import type { FileArea, StoredFile } from '../shared/files/file-area.ts';
import { oneChunk } from '../shared/files/one-chunk.ts';
import { readWholeFile } from '../shared/files/read-whole-file.ts';
import { findCover, maxCoverBytes } from './cover-files.ts';
import { coverTag } from './cover-tag.ts';
import type { ShrinkImage } from './ports.ts';
import {
  readThumbnail,
  thumbnailEtag,
  thumbnailName,
  thumbnailNames,
  withMark,
} from './thumbnail-file.ts';
import { type ThumbnailWidth, thumbnailWidthFor } from './thumbnail-sizes.ts';

/**
 * How long a failure prevents another attempt, in milliseconds. The time is long enough to avoid
 * constant retries, and short enough to retry soon after a temporary failure.
 */
const failureRetryMs = 5 * 60_000;

const maxFailedCovers = 1_000;

/**
 * Maximum number of concurrent conversions. Conversions run on the threads that also read files, so
 * some threads must stay free.
 */
const maxConversions = 2;
/** Maximum number of concurrent conversions of pictures that need much memory. */
const maxLargeConversions = 1;
/** Maximum number of waiting conversions. Further callers get the error `busy`. */
const maxWaitingConversions = 500;
/**
 * Maximum number of attempts to make a thumbnail. An attempt fails if the cover is replaced during
 * it.
 */
const maxAttempts = 3;

/** A small picture of a cover, as WebP. */
export interface Thumbnail {
  readonly bytes: Uint8Array;
  /** Tag of the cover that the thumbnail shows (see `coverTag`). */
  readonly tag: string;
  /**
   * Metadata of the thumbnail: its name, the size and ETag of its bytes, and the modification time
   * of the cover.
   */
  readonly file: StoredFile;
}

/** The cover to convert, and the width of the result. */
interface ThumbnailSpec {
  readonly releaseId: number;
  readonly cover: StoredFile;
  readonly tag: string;
  readonly width: ThumbnailWidth;
}

/**
 * Makes and stores small pictures of covers. A thumbnail is made when it is first requested. Stored
 * thumbnails may be deleted at any time.
 */
export class Thumbnails {
  readonly #covers: FileArea;
  readonly #area: FileArea;
  readonly #shrink: ShrinkImage;
  readonly #conversions = new Limiter(maxConversions, { maxWaiting: maxWaitingConversions });
  readonly #largeConversions = new Limiter(maxLargeConversions, {
    maxWaiting: maxWaitingConversions,
  });
  readonly #failed: FailedCovers;
  /**
   * Conversions in progress, by cover tag and width. A conversion resolves to null if the cover was
   * replaced meanwhile.
   */
  readonly #running = new Map<string, Promise<Uint8Array | null>>();
  readonly #storing = new Set<Promise<void>>();

  constructor(parts: { covers: FileArea; area: FileArea; shrink: ShrinkImage; clock: Clock }) {
    this.#covers = parts.covers;
    this.#area = parts.area;
    this.#shrink = parts.shrink;
    this.#failed = new FailedCovers(parts.clock);
  }

  /**
   * Returns a thumbnail of the release's cover. Its width limit is `thumbnailWidthFor(width)`. The
   * picture is never enlarged. Throws `no cover available` if there is no cover, or if the cover is
   * not a picture, has over 64 megapixels, or takes over 10 s. Throws `busy` when too many
   * conversions wait, or when the cover is replaced repeatedly.
   */
  async get(releaseId: number, width: number): Promise<Thumbnail> {
    const step = thumbnailWidthFor(width);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const cover = (await findCover(this.#covers, releaseId))?.file;
      if (cover === undefined) throw noCover();
      const spec = { releaseId, cover, tag: coverTag(cover), width: step };
      const stored = await readThumbnail(this.#area, thumbnailName(releaseId, step), spec.tag);
      const bytes = stored ?? (await this.#make(spec));
      if (bytes !== null) return thumbnailOf(spec, bytes);
    }
    throw busy();
  }

  /**
   * Removes the thumbnails of a release. Must be called after the release's cover was replaced or
   * removed. Never throws. A thumbnail that could not be removed is not used, because its tag
   * differs from the new cover's.
   */
  async drop(releaseId: number): Promise<void> {
    for (const name of thumbnailNames(releaseId)) {
      await this.#area.remove(name).catch(() => undefined);
    }
  }

  /** Resolves when all thumbnails made so far are stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values());
    await Promise.all(this.#storing);
  }

  /**
   * Makes and stores a thumbnail. Concurrent callers share one conversion. They get the picture
   * before it is stored, and a failure to store it does not affect them.
   */
  async #make(spec: ThumbnailSpec): Promise<Uint8Array | null> {
    // A manually added cover may exceed the size limit.
    if (this.#failed.has(spec.tag) || spec.cover.size > maxCoverBytes) throw noCover();
    const key = `${spec.tag} ${spec.width}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const made = this.#convert(spec);
    this.#running.set(key, made);
    const stored = made
      .then((bytes) => bytes && this.#store(spec, bytes))
      .catch(() => undefined) // a later request makes the thumbnail again
      .then(() => {
        this.#running.delete(key);
        this.#storing.delete(stored);
      });
    this.#storing.add(stored);
    return made;
  }

  /**
   * Converts a cover to a thumbnail. Returns null when the cover was replaced meanwhile. A large
   * picture waits in a separate queue, so that it does not block other pictures.
   */
  async #convert(spec: ThumbnailSpec): Promise<Uint8Array | null> {
    const convert = (evenIfLarge: boolean) =>
      this.#conversions.run<Uint8Array | 'large' | 'replaced' | null>(async () => {
        const bytes = await this.#readCover(spec);
        return bytes === null ? 'replaced' : this.#shrink(bytes, spec.width, { evenIfLarge });
      });
    let picture = await convert(false);
    if (picture === 'large') picture = await this.#largeConversions.run(() => convert(true));
    if (picture === 'replaced') return null;
    if (picture !== null && picture !== 'large') return picture;
    this.#failed.add(spec.tag);
    throw noCover();
  }

  async #readCover({ cover, tag }: ThumbnailSpec): Promise<Uint8Array | null> {
    const file = await this.#covers.open(cover.name);
    if (file === null) return null;
    if (coverTag(file) === tag) return readWholeFile(file);
    await file.close();
    return null;
  }

  async #store({ releaseId, tag, width }: ThumbnailSpec, picture: Uint8Array): Promise<void> {
    const before = await findCover(this.#covers, releaseId);
    // A replaced cover's thumbnail must not replace the new cover's.
    if (before === null || coverTag(before.file) !== tag) return;
    const staged = await this.#area.stage(oneChunk(withMark(picture, tag)));
    await staged.publish(thumbnailName(releaseId, width));
    const now = await findCover(this.#covers, releaseId);
    if (now === null) await this.drop(releaseId); // the cover was removed meanwhile
  }
}

function thumbnailOf(
  { releaseId, cover, tag, width }: ThumbnailSpec,
  bytes: Uint8Array,
): Thumbnail {
  const name = thumbnailName(releaseId, width);
  const { mtimeNs } = cover;
  return {
    bytes,
    tag,
    file: { name, size: bytes.byteLength, mtimeNs, etag: thumbnailEtag(bytes) },
  };
}

/** Records the covers for which making a thumbnail failed recently, by tag. */
class FailedCovers {
  readonly #clock: Clock;
  /** For each tag, the time until which no attempt is made, ordered by the time of the failure. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(tag: string): boolean {
    return (this.#until.get(tag) ?? 0) > this.#clock.monotonic();
  }

  add(tag: string): void {
    this.#until.delete(tag);
    this.#until.set(tag, this.#clock.monotonic() + failureRetryMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > maxFailedCovers && oldest !== undefined) this.#until.delete(oldest);
  }
}
