import { RandomAccessReader } from 'yauzl';
import type { ZipBytes } from './zip-bytes.ts';

const WINDOW = 64 * 1024;

/** yauzl reads a directory in pieces of some bytes; they are taken from one window of the file. */
export class DirectoryReader extends RandomAccessReader {
  /** What reading the bytes threw, as opposed to what yauzl finds wrong with them. */
  failure: Error | null = null;
  readonly #bytes: ZipBytes;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

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
    this.#bytesAt(position, length).then(
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
