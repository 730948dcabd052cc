import { RandomAccessReader } from 'yauzl';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';

const WINDOW = 64 * 1024;

/** yauzl reads its directory in pieces of some bytes; they are taken from one window of the file. */
export class DirectoryReader extends RandomAccessReader {
  readonly #file: ImageBytes;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(file: ImageBytes) {
    super();
    this.#file = file;
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
      (error: Error) => callback(error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const start = position - this.#start;
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length);
    }
    if (position >= this.#file.size) return Buffer.alloc(0);
    this.#window = await readUpTo(this.#file, position, Math.max(length, WINDOW));
    this.#start = position;
    return this.#window.subarray(0, length);
  }
}
