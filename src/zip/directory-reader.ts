import { RandomAccessReader } from 'yauzl';
import type { ZipBytes } from './zip-bytes.ts';

const WINDOW = 64 * 1024;
/**
 * Number of bytes at the end of a zip that are read first. These bytes almost always contain the
 * end record. In a small zip, they contain the whole directory.
 */
const TAIL = 4 * 1024;
/** Size in bytes of the end record without its comment (APPNOTE 4.3.16). */
const END_BYTES = 22;
const END_MAGIC = Buffer.from('PK\x05\x06', 'latin1');
/**
 * Size in bytes of the zip64 locator. The locator is directly before the end record and contains
 * the offset of the zip64 end record.
 */
const ZIP64_LOCATOR_BYTES = 20;

/**
 * Lets yauzl read the directory of a zip. yauzl reads only a few bytes at a time, so its reads are
 * served from one large piece in memory. First, yauzl reads the last 64 KiB and searches them
 * backwards for the end record. This class reads only the part that yauzl then examines.
 */
export class DirectoryReader extends RandomAccessReader {
  /**
   * The error from reading the zip's bytes, or null. Errors that yauzl finds in the content are not
   * stored here.
   */
  failure: Error | null = null;
  readonly #bytes: ZipBytes;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);
  #isSearched = false;

  constructor(bytes: ZipBytes) {
    super();
    this.#bytes = bytes;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const isSearch = !this.#isSearched && position + length === this.#bytes.size;
    this.#isSearched = true;
    const reading = isSearch ? this.#search(length) : this.#bytesAt(position, length);
    reading.then(
      (bytes) => callback(null, bytes.copy(target, offset)),
      (error: Error) => {
        this.failure = error;
        callback(error);
      },
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  /**
   * Returns the last `length` bytes of the file. If the end record is among the last `TAIL` bytes,
   * all earlier bytes are returned as zeros, because yauzl does not examine them.
   */
  async #search(length: number): Promise<Buffer> {
    const { size } = this.#bytes;
    const tailBytes = Math.min(TAIL, length);
    const tail = await this.#bytesAt(size - tailBytes, tailBytes);
    const found = tail.lastIndexOf(END_MAGIC, Math.max(0, tail.length - END_BYTES));
    if (found < ZIP64_LOCATOR_BYTES) return this.#bytesAt(size - length, length);
    return Buffer.concat([Buffer.alloc(length - tail.length), tail]);
  }

  /** Returns `length` bytes from `position` on. Returns fewer bytes if the file ends earlier. */
  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const start = position - this.#start;
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length);
    }
    const left = Math.max(0, this.#bytes.size - position);
    if (left === 0) return Buffer.alloc(0);
    this.#window = await this.#bytes.read(position, Math.min(left, Math.max(length, WINDOW)));
    this.#start = position;
    return this.#window.subarray(0, length);
  }
}
