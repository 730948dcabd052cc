import { RandomAccessReader } from 'yauzl';
import type { ZipBytes } from './zip-bytes.ts';

const WINDOW = 64 * 1024;
/** Of almost every zip the end record stands here, and of a small one the whole directory. */
const TAIL = 4 * 1024;
/** The end record without its comment (APPNOTE 4.3.16). */
const END_BYTES = 22;
const END_MAGIC = Buffer.from('PK\x05\x06', 'latin1');
/** What zip64 has before the end record tells where its own lies. */
const ZIP64_LOCATOR_BYTES = 20;

/**
 * yauzl reads a directory in pieces of some bytes; they are taken from one window of the file. Before them it reads the
 * last 64 KiB, where it searches for the end record from the last byte back: of these only as many are read as it looks at.
 */
export class DirectoryReader extends RandomAccessReader {
  /** What reading the bytes threw, as opposed to what yauzl finds wrong with them. */
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

  /** The last bytes of the file, with zeros for those before the end record that nobody looks at. */
  async #search(length: number): Promise<Buffer> {
    const { size } = this.#bytes;
    const most = Math.min(TAIL, length);
    const tail = await this.#bytesAt(size - most, most);
    const found = tail.lastIndexOf(END_MAGIC, Math.max(0, tail.length - END_BYTES));
    if (found < ZIP64_LOCATOR_BYTES) return this.#bytesAt(size - length, length);
    return Buffer.concat([Buffer.alloc(length - tail.length), tail]);
  }

  /** Fewer where the file ends. */
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
