import { createHash } from 'node:crypto';
import { Limiter } from '../shared/concurrency/limiter.ts';
import type { OnBytes, OpenedFile } from '../shared/files/file-area.ts';

/** Size of the pieces in which a file is read, in bytes. Larger ones are hardly any faster. */
const pieceBytes = 256 * 1024;

/** Calculates the SHA-256 of files, and reads at most `parallel` of them at the same time. */
export class FileSums {
  readonly #places: Limiter;
  /** Pairs of buffers that no file uses. New ones for each file would take time to clear. */
  readonly #buffers: [Uint8Array, Uint8Array][] = [];

  constructor(parallel: number) {
    this.#places = new Limiter(parallel);
  }

  /**
   * Returns the SHA-256 of a file's content. Calls `onBytes` with the length of each piece, and
   * waits for the returned promise. Throws any error of `onBytes`. Throws the signal's reason if it
   * is aborted before the first piece.
   */
  sumOf(file: OpenedFile, onBytes: OnBytes, signal: AbortSignal): Promise<string> {
    const work = () => file.readSha256?.(onBytes) ?? this.#readSha256(file, onBytes);
    return this.#places.run(work, { signal });
  }

  /** Reads a file to its end. While a piece is hashed, the next one is read. */
  async #readSha256(file: OpenedFile, onBytes: OnBytes): Promise<string> {
    const hash = createHash('sha256');
    let [buffer, other] = this.#buffers.pop() ?? [
      new Uint8Array(pieceBytes),
      new Uint8Array(pieceBytes),
    ];
    let position = 0;
    const readNext = () => file.read(buffer.subarray(0, file.size - position), position);
    let next = readNext();
    try {
      for (let count = await next; count > 0; count = await next) {
        position += count;
        [buffer, other] = [other, buffer];
        next = position < file.size ? readNext() : Promise.resolve(0);
        next.catch(() => {}); // thrown when the next piece is awaited
        hash.update(other.subarray(0, count));
        await onBytes(count);
      }
      return hash.digest('hex');
    } finally {
      await next.catch(() => {}); // until then, the read may write to a buffer
      this.#buffers.push([buffer, other]);
    }
  }
}
