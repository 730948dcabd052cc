import type { Readable } from 'node:stream';
import type { Bucket } from './bucket.ts';
import { notePiece } from './free-pieces.ts';
import { asObjectError } from './s3-error.ts';

const mib = 2 ** 20;
/** What the first request asks for; each that is read to its end is followed by a larger one. */
const firstWindow = mib;
const mostWindow = 64 * mib;
/** Requests without a byte after which a reader gives up. */
const mostFailures = 3;
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads one object, whose bytes never change: what is read in order comes from one answer after the other, and an answer
 * that breaks off is asked for again from where it was read.
 */
export class ObjectReader {
  readonly #bucket: Bucket;
  readonly #key: string;
  /** Nothing is asked for from here on. */
  #end: number;
  #body: { stream: Readable; pieces: AsyncIterator<Buffer>; end: number } | null = null;
  /** Where what comes next begins. */
  #position = 0;
  /** What came and was not read. */
  #rest: Buffer = nothing;
  #window = firstWindow;
  #failures = 0;
  #isClosed = false;

  constructor(bucket: Bucket, { key, size }: { key: string; size: number }) {
    this.#bucket = bucket;
    this.#key = key;
    this.#end = size;
  }

  /** What lies behind is not read, so that of an answer for a range nothing is thrown away. */
  endAt(end: number): void {
    this.#end = Math.min(this.#end, end);
  }

  /** How many bytes from `position` on were read into the buffer; none behind the end. */
  async read(buffer: Uint8Array, position: number): Promise<number> {
    const most = Math.min(buffer.byteLength, this.#end - position);
    if (most <= 0) return 0;
    if (position !== this.#position - this.#rest.byteLength) this.#goTo(position);
    while (this.#rest.byteLength === 0) this.#rest = await this.#next();
    const count = this.#rest.copy(buffer, 0, 0, most);
    this.#rest = this.#rest.subarray(count);
    return count;
  }

  /** Lets the answer go that is being read, or asked for; a reading that waits for it fails. */
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
    this.#rest = nothing;
    this.#position = position;
    this.#window = firstWindow;
  }

  /** What comes next; nothing when the answer broke off and is asked for again. */
  async #next(): Promise<Buffer> {
    this.#body ??= await this.#ask();
    const { pieces, end } = this.#body;
    try {
      const { value, done } = await pieces.next();
      if (done) throw new Error(`${this.#bucket.where} sent fewer bytes than it announced`);
      this.#position += value.byteLength;
      notePiece(value.byteLength);
      this.#failures = 0;
      if (this.#position > end) this.#leave(pieces);
      return value;
    } catch (error) {
      this.#drop();
      this.#failures += 1;
      if (this.#isClosed || this.#failures >= mostFailures)
        throw asObjectError(error, this.#bucket.where);
      return nothing;
    }
  }

  /** An answer that was read is looked at until it says so, so that its connection serves again. */
  #leave(pieces: AsyncIterator<Buffer>): void {
    this.#body = null;
    pieces.next().catch(() => {});
  }

  async #ask() {
    const end = Math.min(this.#position + this.#window, this.#end) - 1;
    const stream = await this.#bucket.get(this.#key, this.#position, end);
    this.#window = Math.min(4 * this.#window, mostWindow);
    stream.on('error', () => {}); // told by the iterator, where one asks it
    if (this.#isClosed) {
      stream.destroy();
      throw new Error('nobody reads this object any more');
    }
    return { stream, pieces: stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>, end };
  }
}
