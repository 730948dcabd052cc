import { refused } from '../../core/shared/errors.ts';
import { checkRange, type ImageBytes } from '../image-bytes.ts';

/**
 * Number of bytes at the start of a stream that stay readable. `INDEX_BUFFER_BYTES` is enough for
 * the index of the largest packed disc. `DIRECTORY_BUFFER_BYTES` is enough for the directories of
 * any disc.
 */
const INDEX_BUFFER_BYTES = 16 * 1024 * 1024;
const DIRECTORY_BUFFER_BYTES = 4 * 1024 * 1024;

/**
 * An image that is available only as a stream. `read` throws the same errors as in `ImageBytes`.
 * `read` also throws a `CatalogError` of kind `refused` if the bytes have passed and are no longer
 * buffered.
 */
export interface StreamImage extends ImageBytes {
  /**
   * True if a read has failed because its bytes are out of reach: they have passed, or they are
   * after the part of the stream that may be read.
   */
  readonly isOutOfReach: boolean;
}

/**
 * Returns an image that reads the stream only as far as `read` requires, and at most `maxBytes`
 * bytes. The first `bufferedBytes` bytes stay readable. Later bytes can be read only until they
 * have passed.
 */
export function pullImage(
  pieces: AsyncIterable<Buffer>,
  size: number,
  { maxBytes = Infinity, bufferedBytes = INDEX_BUFFER_BYTES } = {},
) {
  const source = pieces[Symbol.asyncIterator]();
  const passing = new SequentialImage(size, bufferedBytes);
  const image = {
    size,
    isOutOfReach: false,
    async read(offset: number, length: number): Promise<Buffer> {
      const reading = passing.read(offset, length);
      if (offset + length > maxBytes && passing.isWaiting) passing.giveUp();
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
    /**
     * Reads to the end of the stream, so that the producer of the stream can verify its checksum.
     * Stops after `limit` bytes.
     */
    async drain(limit = Infinity): Promise<void> {
      for (let passed = 0; passed <= limit; ) {
        const next = await source.next();
        if (next.done) return;
        passed += next.value.length;
      }
    },
    /** Ends the stream early. Must be called when nothing more will be read. */
    async close(): Promise<void> {
      await source.return?.();
    },
  };
  return image satisfies StreamImage;
}

/**
 * Yields the pieces of an image unchanged. Concurrently calls `read` with an image of the same
 * bytes. Each read of that image waits until the requested bytes pass. Only the first 4 MiB can be
 * read again. Throws the errors of `read`.
 */
export async function* readWhilePassing(
  pieces: AsyncIterable<Buffer>,
  size: number,
  read: (image: StreamImage) => Promise<void>,
): AsyncGenerator<Buffer> {
  const image = new SequentialImage(size, DIRECTORY_BUFFER_BYTES);
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

/**
 * The image over a stream. Contains the buffered pieces that have passed, and at most one read that
 * waits for more pieces.
 */
class SequentialImage implements StreamImage {
  readonly size: number;
  isOutOfReach = false;
  readonly #bufferedBytes: number;
  #pieces: { readonly start: number; readonly bytes: Buffer }[] = [];
  #passed = 0;
  #waiting: (PromiseWithResolvers<Buffer> & { offset: number; length: number }) | null = null;
  #end: { readonly error: unknown } | null = null;
  #onWaiting: () => void = () => undefined;

  constructor(size: number, bufferedBytes: number) {
    this.size = size;
    this.#bufferedBytes = bufferedBytes;
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

  /** Resolves when a read waits for more pieces. Never resolves if there are no more reads. */
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
    const isKept = (from: number, length: number) =>
      from < this.#bufferedBytes || from + length > wanted;
    this.#pieces = this.#pieces.filter((piece) => isKept(piece.start, piece.bytes.length));
    // Copy the bytes, because the caller may overwrite them after this call. Copy only bytes that
    // may be needed, because copies are freed late.
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

  /**
   * Ends the image, because the stream has ended or failed. A waiting read fails with `error`. If
   * the size of the stream is unknown, the early end is not damage. The waiting read then counts as
   * out of reach.
   */
  end(error: unknown = refused(`it is cut: it ends after ${this.#passed} bytes`)): void {
    this.#end = { error };
    const waiting = this.#waiting;
    if (waiting !== null && this.size === Infinity) this.isOutOfReach = true;
    this.#waiting = null;
    waiting?.reject(error);
  }

  /** Drops all pieces. Must be called when nothing more will be read. */
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
