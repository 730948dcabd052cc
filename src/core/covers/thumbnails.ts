import type { Clock } from '../shared/clock.ts';
import { Limiter } from '../shared/concurrency/limiter.ts';
import { busy, noCover } from '../shared/errors.ts';
import type { FileArea, StoredFile } from '../shared/files/file-area.ts';
import { findCover } from './cover-files.ts';
import { coverTag } from './cover-tag.ts';
import type { ShrinkImage } from './ports.ts';
import {
  bytesOf,
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
 * Maximum size of a cover that gets a thumbnail, in bytes. An uploaded cover never exceeds this
 * size, but a manually added cover may.
 */
const maxCoverBytes = 20 * 1_048_576;
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

interface Subject {
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
  readonly #places = new Limiter(maxConversions, { maxWaiting: maxWaitingConversions });
  readonly #largePlaces = new Limiter(maxLargeConversions, { maxWaiting: maxWaitingConversions });
  readonly #failed: FailedCovers;
  /**
   * Conversions in progress, by cover tag and width. A conversion resolves to null if the cover was
   * replaced meanwhile.
   */
  readonly #making = new Map<string, Promise<Uint8Array | null>>();
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
      const subject = { releaseId, cover, tag: coverTag(cover), width: step };
      const stored = await readThumbnail(this.#area, thumbnailName(releaseId, step), subject.tag);
      const bytes = stored ?? (await this.#make(subject));
      if (bytes !== null) return thumbnailOf(subject, bytes);
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
    await Promise.allSettled(this.#making.values());
    await Promise.all(this.#storing);
  }

  /**
   * Makes and stores a thumbnail. Concurrent callers share one conversion. They get the picture
   * before it is stored, and a failure to store it does not affect them.
   */
  async #make(subject: Subject): Promise<Uint8Array | null> {
    if (this.#failed.has(subject.tag) || subject.cover.size > maxCoverBytes) throw noCover();
    const key = `${subject.tag} ${subject.width}`;
    const running = this.#making.get(key);
    if (running !== undefined) return running;
    const made = this.#convert(subject);
    this.#making.set(key, made);
    const stored = made
      .then((bytes) => bytes && this.#store(subject, bytes))
      .catch(() => undefined) // a later request makes the thumbnail again
      .then(() => {
        this.#making.delete(key);
        this.#storing.delete(stored);
      });
    this.#storing.add(stored);
    return made;
  }

  /**
   * Converts a cover to a thumbnail. Returns null when the cover was replaced meanwhile. A large
   * picture waits in a separate queue, so that it does not block other pictures.
   */
  async #convert(subject: Subject): Promise<Uint8Array | null> {
    const convert = (evenIfLarge: boolean) =>
      this.#places.run<Uint8Array | 'large' | 'replaced' | null>(async () => {
        const bytes = await this.#bytesOf(subject);
        return bytes === null ? 'replaced' : this.#shrink(bytes, subject.width, { evenIfLarge });
      });
    let picture = await convert(false);
    if (picture === 'large') picture = await this.#largePlaces.run(() => convert(true));
    if (picture === 'replaced') return null;
    if (picture !== null && picture !== 'large') return picture;
    this.#failed.add(subject.tag);
    throw noCover();
  }

  async #bytesOf({ cover, tag }: Subject): Promise<Uint8Array | null> {
    const file = await this.#covers.open(cover.name);
    if (file === null) return null;
    if (coverTag(file) === tag) return bytesOf(file);
    await file.close();
    return null;
  }

  async #store({ releaseId, tag, width }: Subject, picture: Uint8Array): Promise<void> {
    const before = await findCover(this.#covers, releaseId);
    // A replaced cover's thumbnail must not replace the new cover's.
    if (before === null || coverTag(before.file) !== tag) return;
    const staged = await this.#area.stage(only(withMark(picture, tag)));
    await staged.publish(thumbnailName(releaseId, width));
    const now = await findCover(this.#covers, releaseId);
    if (now === null) await this.drop(releaseId); // the cover was removed meanwhile
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function thumbnailOf({ releaseId, cover, tag, width }: Subject, bytes: Uint8Array): Thumbnail {
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
