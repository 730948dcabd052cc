import type { Clock } from '../shared/clock.ts';
import { busy, noCover } from '../shared/errors.ts';
import type { FileArea, StoredFile } from '../shared/file-area.ts';
import { Limiter } from '../shared/limiter.ts';
import { findCover } from './cover-files.ts';
import { coverTag } from './cover-tag.ts';
import { FailedCovers } from './failed-covers.ts';
import type { ShrinkImage } from './ports.ts';
import {
  bytesOf,
  marked,
  readThumbnail,
  type ThumbnailWidth,
  thumbnailEtag,
  thumbnailName,
  thumbnailNames,
  thumbnailWidths,
} from './thumbnail-file.ts';

/** Of the threads that also read files, some stay free. */
const mostAtOnce = 2;
/** Of pictures that take much memory. */
const mostLargeAtOnce = 1;
/** Waiting ones; beyond them a caller is told to come back. */
const mostWaiting = 500;
/** As large as an uploaded cover may be; one laid into the folder by hand may be larger, and gets no thumbnail. */
const mostBytes = 20 * 1_048_576;
/** How often a cover may be replaced while its thumbnail is made. */
const mostTries = 3;

/** A small picture of a cover, as WebP. */
export interface Thumbnail {
  readonly bytes: Uint8Array;
  /** The cover's (see `coverTag`). */
  readonly tag: string;
  /** How its bytes are told from others'; the time is the cover's. */
  readonly file: StoredFile;
}

interface Subject {
  readonly releaseId: number;
  readonly cover: StoredFile;
  readonly tag: string;
  readonly width: ThumbnailWidth;
}

/** Small pictures of covers. They are made when they are asked for, and may be deleted at any time. */
export class Thumbnails {
  readonly #covers: FileArea;
  readonly #area: FileArea;
  readonly #shrink: ShrinkImage;
  readonly #places = new Limiter(mostAtOnce, { mostWaiting });
  readonly #largePlaces = new Limiter(mostLargeAtOnce, { mostWaiting });
  readonly #failed: FailedCovers;
  /** Those that are being made, by cover and width; null is told when the cover was replaced meanwhile. */
  readonly #making = new Map<string, Promise<Uint8Array | null>>();
  readonly #storing = new Set<Promise<void>>();

  constructor(parts: { covers: FileArea; area: FileArea; shrink: ShrinkImage; clock: Clock }) {
    this.#covers = parts.covers;
    this.#area = parts.area;
    this.#shrink = parts.shrink;
    this.#failed = new FailedCovers(parts.clock);
  }

  /**
   * The release's cover in the next larger of the three widths, never enlarged. Throws `no cover available`, also for a
   * cover that is no picture, has over 64 megapixels or takes over 10 s; `busy` when too many are being made.
   */
  async get(releaseId: number, width: number): Promise<Thumbnail> {
    const step = thumbnailWidths.find((each) => each >= width) ?? 640;
    for (let attempt = 1; attempt <= mostTries; attempt++) {
      const cover = (await findCover(this.#covers, releaseId))?.file;
      if (cover === undefined) throw noCover();
      const subject = { releaseId, cover, tag: coverTag(cover), width: step };
      const stored = await readThumbnail(this.#area, thumbnailName(releaseId, step), subject.tag);
      const bytes = stored ?? (await this.#make(subject));
      if (bytes !== null) return thumbnailOf(subject, bytes);
    }
    throw busy();
  }

  /** To be called when a release's cover was replaced or removed. Never throws: what stays has another tag than a cover. */
  async drop(releaseId: number): Promise<void> {
    for (const name of thumbnailNames(releaseId)) {
      await this.#area.remove(name).catch(() => undefined);
    }
  }

  /** Resolves when what was made is stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#making.values());
    await Promise.all(this.#storing);
  }

  /** Once for all who ask meanwhile. They need not wait until it is stored, nor does it matter to them. */
  async #make(subject: Subject): Promise<Uint8Array | null> {
    if (this.#failed.has(subject.tag) || subject.cover.size > mostBytes) throw noCover();
    const key = `${subject.tag} ${subject.width}`;
    const running = this.#making.get(key);
    if (running !== undefined) return running;
    const made = this.#convert(subject);
    this.#making.set(key, made);
    const stored = made
      .then((bytes) => bytes && this.#store(subject, bytes))
      .catch(() => undefined) // it is made again
      .then(() => {
        this.#making.delete(key);
        this.#storing.delete(stored);
      });
    this.#storing.add(stored);
    return made;
  }

  /** Null when the cover was replaced meanwhile. A large one that waits for its turn keeps no others waiting. */
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
    const staged = await this.#area.stage(only(marked(picture, tag)));
    await staged.publish(thumbnailName(releaseId, width));
    const now = await findCover(this.#covers, releaseId);
    if (now === null) await this.drop(releaseId); // removed meanwhile
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
