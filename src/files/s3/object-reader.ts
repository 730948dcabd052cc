import type { Readable } from 'node:stream';
import { LostFile } from '../../core/shared/files/lost-file.ts';
import { countStreamedBytes } from '../../memory/collect-garbage.ts';
import type { Bucket } from './client/bucket.ts';
import { asObjectError, isGone } from './client/s3-error.ts';

const mib = 2 ** 20;
/** Size of the first request, in bytes. Each further request is larger, up to `maxWindow`. */
const firstWindow = mib;
const maxWindow = 64 * mib;
/** Consecutive failed requests after which a reader gives up. */
const maxFailures = 3;
const emptyBuffer: Buffer = Buffer.alloc(0);

type UsePiece = (piece: Uint8Array) => Promise<unknown> | undefined;

/**
 * Reads one object, whose bytes never change. Sequential reads use the same response to its end,
 * and then request the next range. If a response is interrupted, the rest is requested again.
 */
export class ObjectReader {
  readonly #bucket: Bucket;
  readonly #key: string;
  /** Offset after the last byte that may be requested. */
  #end: number;
  #body: { stream: Readable; pieces: AsyncIterator<Buffer>; end: number } | null = null;
  /** Offset, within the object, of the next byte that the response returns. */
  #position = 0;
  /** Bytes that were received but not yet returned by `read`. */
  #rest: Buffer = emptyBuffer;
  #window = firstWindow;
  #failures = 0;
  #isClosed = false;

  constructor(bucket: Bucket, { key, size }: { key: string; size: number }) {
    this.#bucket = bucket;
    this.#key = key;
    this.#end = size;
  }

  /**
   * Limits reading to the bytes before `end`, so that a range request fetches no unneeded bytes.
   */
  endAt(end: number): void {
    this.#end = Math.min(this.#end, end);
  }

  /**
   * Reads the whole object, and calls `use` with each piece as it arrives. Waits for the promise
   * that `use` returns. No copies are made and no pieces wait, so this takes less processor time
   * than `read`. Throws what `use` throws. `use` may transfer the memory of the piece. If it
   * does not, V8 frees pieces only after many have accumulated.
   */
  async readAll(use: UsePiece): Promise<void> {
    this.#goTo(0);
    this.#window = maxWindow;
    while (this.#position < this.#end) {
      this.#body = await this.#request();
      const { stream, end } = this.#body;
      const failure = await passOn(stream, (piece) => {
        this.#advance(piece);
        return use(piece);
      }).finally(() => this.#drop());
      if (this.#position <= end) this.#fail(failure ?? this.#shortResponse());
    }
  }

  /**
   * Reads bytes from offset `position` into the buffer. Returns the number of bytes; 0 at the end.
   */
  async read(buffer: Uint8Array, position: number): Promise<number> {
    const maxCount = Math.min(buffer.byteLength, this.#end - position);
    if (maxCount <= 0) return 0;
    if (position !== this.#position - this.#rest.byteLength) this.#goTo(position);
    while (this.#rest.byteLength === 0) this.#rest = await this.#next();
    const count = this.#rest.copy(buffer, 0, 0, maxCount);
    this.#rest = this.#rest.subarray(count);
    return count;
  }

  /** Closes the current response. A read that waits for a response fails. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    this.#body?.stream.destroy();
    this.#body = null;
  }

  #goTo(position: number): void {
    this.#drop();
    this.#rest = emptyBuffer;
    this.#position = position;
    this.#window = firstWindow;
  }

  /**
   * Returns the next bytes. Returns an empty buffer if the response was interrupted; the next call
   * requests the rest again.
   */
  async #next(): Promise<Buffer> {
    this.#body ??= await this.#request();
    const { pieces, end } = this.#body;
    try {
      const { value, done } = await pieces.next();
      if (done) throw this.#shortResponse();
      countStreamedBytes(value.byteLength);
      this.#advance(value);
      if (this.#position > end) this.#drain(pieces);
      return value;
    } catch (error) {
      this.#drop();
      this.#fail(error);
      return emptyBuffer;
    }
  }

  #advance({ byteLength }: Uint8Array): void {
    this.#position += byteLength;
    this.#failures = 0;
  }

  #shortResponse(): Error {
    return new Error(`${this.#bucket.displayName} sent fewer bytes than it announced`);
  }

  /** Counts a failed response. Throws the error if the rest is not to be requested again. */
  #fail(error: unknown): void {
    this.#failures += 1;
    if (this.#isClosed || this.#failures >= maxFailures)
      throw asObjectError(error, this.#bucket.displayName);
  }

  /** Reads the end of a finished response, so that the response's connection can be reused. */
  #drain(pieces: AsyncIterator<Buffer>): void {
    this.#body = null;
    pieces.next().catch(() => {});
  }

  async #request() {
    const end = Math.min(this.#position + this.#window, this.#end) - 1;
    const where = this.#bucket.displayName;
    const stream = await this.#bucket.get(this.#key, this.#position, end).catch((error: Error) => {
      throw isGone(error.cause) ? new LostFile(`its object is not in ${where}`, error) : error;
    });
    this.#window = Math.min(4 * this.#window, maxWindow);
    stream.on('error', () => {}); // the iterator also throws the error, if it is used
    if (this.#isClosed) {
      stream.destroy();
      throw new Error('the reader of this object was closed');
    }
    return { stream, pieces: stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>, end };
  }
}

/**
 * Calls `use` with each piece of a response as it arrives. While a promise of `use` is pending, the
 * response is paused. Returns the reason if the response was interrupted, once no promise is
 * pending. Throws what `use` throws, and then passes on no further piece.
 */
function passOn(stream: Readable, use: UsePiece): Promise<Error | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Error | null>();
  let pending: Promise<unknown> | undefined;
  const end = (failure: Error | null) => {
    Promise.resolve(pending).then(() => resolve(failure), reject);
  };
  stream.on('data', (piece: Buffer) => {
    try {
      const used = use(piece);
      if (used === undefined) return;
      stream.pause();
      pending = used;
      used.then(() => stream.resume(), reject);
    } catch (error) {
      stream.removeAllListeners('data').pause();
      reject(error);
    }
  });
  stream.on('end', () => end(null)).on('error', end);
  stream.on('close', () => end(new Error('the response was closed')));
  return promise;
}
