import { RandomAccessReader } from 'yauzl';
import type { ZipBytes } from './zip-bytes.ts';

const WINDOW = 64 * 1024;
/**
 * Bytes at the end of a zip that almost always contain its end record, and in a small zip the whole
 * directory.
 */
const TAIL = 4 * 1024;
/** Size of the end record without its comment (APPNOTE 4.3.16). */
const END_BYTES = 22;
const END_MAGIC = Buffer.from('PK\x05\x06', 'latin1');
/** Size of the zip64 locator before the end record, which says where the zip64 end record is. */
const ZIP64_LOCATOR_BYTES = 20;

/**
 * Serves yauzl's reads of a directory, which are a few bytes each, from one window of the file.
 * Before them, yauzl reads the last 64 KiB and searches them for the end record, backwards from the
 * last byte. Only the bytes that it examines are read from the file.
 */
export class DirectoryReader extends RandomAccessReader {
  /** The error from reading the bytes, as opposed to faults that yauzl finds in them. */
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
   * Returns the last bytes of the file, with zeros for those before the end record, which are not
   * examined.
   */
  async #search(length: number): Promise<Buffer> {
    const { size } = this.#bytes;
    const most = Math.min(TAIL, length);
    const tail = await this.#bytesAt(size - most, most);
    const found = tail.lastIndexOf(END_MAGIC, Math.max(0, tail.length - END_BYTES));
    if (found < ZIP64_LOCATOR_BYTES) return this.#bytesAt(size - length, length);
    return Buffer.concat([Buffer.alloc(length - tail.length), tail]);
  }

  /** Returns the bytes at a position, fewer at the end of the file. */
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
