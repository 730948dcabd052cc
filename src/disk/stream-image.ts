import { refused } from '../core/shared/errors.ts';
import { checkRange, type ImageBytes } from './image-bytes.ts';

/** The start of a stream that stays readable, in bytes: the index of the largest packed disc, and the directories of any. */
const KEPT_INDEX = 16 * 1024 * 1024;
const KEPT_DIRECTORIES = 4 * 1024 * 1024;

/** An image of which only a stream is to be had. Throws as `ImageBytes`, and where it would have to go back. */
export interface StreamImage extends ImageBytes {
  /** Whether something was asked for that had passed, or that lies behind the part that is read. */
  readonly isOutOfReach: boolean;
}

/**
 * An image that is read from a stream as far as somebody asks, at most `most` bytes. What has passed can be read again
 * in the first `kept` bytes only.
 */
export function pullImage(
  pieces: AsyncIterable<Buffer>,
  size: number,
  { most = Infinity, kept = KEPT_INDEX } = {},
) {
  const source = pieces[Symbol.asyncIterator]();
  const passing = new PassingImage(size, kept);
  const image = {
    size,
    isOutOfReach: false,
    async read(offset: number, length: number): Promise<Buffer> {
      const reading = passing.read(offset, length);
      if (offset + length > most && passing.isWaiting) passing.giveUp();
      while (passing.isWaiting) {
        const next = await source.next().catch((error: unknown) => {
          passing.end(error);
          return null;
        });
        if (next?.done) passing.end();
        else if (next) passing.feed(next.value);
      }
      image.isOutOfReach = passing.isOutOfReach;
      return reading;
    },
    /** Reads to the end of the stream, so that whoever makes it can check it. */
    async drain(): Promise<void> {
      while (!(await source.next()).done);
    },
    /** To be called when nothing more is read. */
    async close(): Promise<void> {
      await source.return?.();
    },
  };
  return image satisfies StreamImage;
}

/**
 * Passes the pieces of an image on, while `read` may look at what passes: it gets what it asks for when that comes by,
 * and again in the first 4 MiB only. Throws what `read` throws.
 */
export async function* readWhilePassing(
  pieces: AsyncIterable<Buffer>,
  size: number,
  read: (image: StreamImage) => Promise<void>,
): AsyncGenerator<Buffer> {
  const image = new PassingImage(size, KEPT_DIRECTORIES);
  let isDone = false;
  const reading = read(image).finally(() => {
    isDone = true;
    image.forget();
  });
  for await (const piece of pieces) {
    if (!isDone) await Promise.race([reading, image.untilWaiting()]);
    if (!isDone) image.feed(piece);
    yield piece;
  }
  if (!isDone) await Promise.race([reading, image.untilWaiting()]);
  image.end();
  await reading;
}

/** What has passed of an image, and one read that waits for what comes. */
class PassingImage implements StreamImage {
  readonly size: number;
  isOutOfReach = false;
  readonly #kept: number;
  #pieces: { readonly start: number; readonly bytes: Buffer }[] = [];
  #passed = 0;
  #waiting: (PromiseWithResolvers<Buffer> & { offset: number; length: number }) | null = null;
  #end: { readonly error: unknown } | null = null;
  #onWaiting: () => void = () => undefined;

  constructor(size: number, kept: number) {
    this.size = size;
    this.#kept = kept;
  }

  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    checkRange(this, offset, length);
    if (offset + length <= this.#passed) return this.#take(offset, length);
    this.#waiting = { ...Promise.withResolvers<Buffer>(), offset, length };
    const { promise } = this.#waiting;
    if (this.#end) this.end(this.#end.error);
    this.#onWaiting();
    return promise;
  }

  /** Until a read waits for what comes; never where nobody reads. */
  async untilWaiting(): Promise<void> {
    if (this.#waiting !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onWaiting = resolve;
    await promise;
  }

  feed(bytes: Buffer): void {
    const start = this.#passed;
    this.#passed += bytes.length;
    const wanted = this.#waiting?.offset ?? start;
    const isKept = (from: number, length: number) => from < this.#kept || from + length > wanted;
    this.#pieces = this.#pieces.filter((piece) => isKept(piece.start, piece.bytes.length));
    // it counts only for now, and copies of all that nobody asks for would be freed late
    if (isKept(start, bytes.length)) this.#pieces.push({ start, bytes: Buffer.from(bytes) });
    const waiting = this.#waiting;
    if (waiting === null || waiting.offset + waiting.length > this.#passed) return;
    this.#waiting = null;
    try {
      waiting.resolve(this.#take(waiting.offset, waiting.length));
    } catch (error) {
      waiting.reject(error);
    }
  }

  /** Nothing more comes: that is the end, or the stream failed. Of a stream whose size nobody knew, the end is no damage. */
  end(error: unknown = refused(`it is cut: it ends after ${this.#passed} bytes`)): void {
    this.#end = { error };
    const waiting = this.#waiting;
    if (waiting !== null && this.size === Infinity) this.isOutOfReach = true;
    this.#waiting = null;
    waiting?.reject(error);
  }

  /** To be called when nothing more is read. */
  forget(): void {
    this.#pieces = [];
  }

  giveUp(): void {
    this.isOutOfReach = true;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(refused('what tells its serial lies too far inside'));
  }

  #take(offset: number, length: number): Buffer {
    const end = offset + length;
    const parts: Buffer[] = [];
    let got = 0;
    for (const { start, bytes } of this.#pieces) {
      if (start >= end || start + bytes.length <= offset) continue;
      const part = bytes.subarray(Math.max(0, offset - start), end - start);
      parts.push(part);
      got += part.length;
    }
    if (got < length) {
      this.isOutOfReach = true;
      throw refused('what tells its serial lies before what was read last');
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : Buffer.concat(parts);
  }
}
