import { refused } from '../../core/shared/errors.ts';

/** A file of an archive that is being unpacked. Read its pieces before requesting the next file. */
export interface UnpackedFile {
  /** Each piece is valid only until the next piece is requested. */
  readonly pieces: AsyncIterable<Buffer>;
  /** True if the next file can be requested without reading this one. */
  readonly isSkippable?: true;
}

/**
 * Unpacks an archive and yields its files in order. Throws a `CatalogError` of kind `refused` if it
 * is damaged.
 */
export type UnpackArchive = (
  path: string,
  format: string,
) => AsyncGenerator<UnpackedFile, void, undefined>;

/**
 * An archive that is unpacked from its start to its end. It stays open between two files, so that a
 * solid archive is unpacked only once.
 */
export class UnpackedArchive {
  readonly #files: AsyncGenerator<UnpackedFile, void, undefined>;
  /** The index of the next file. */
  #next = 0;
  /** True while the pieces of a file are read, and after an error. */
  #isWithin = false;
  /** False if each file is packed separately. A damaged file then does not affect the next one. */
  #isLinear = true;

  constructor(files: AsyncGenerator<UnpackedFile, void, undefined>) {
    this.#files = files;
  }

  get isLinear(): boolean {
    return this.#isLinear;
  }

  /** Returns true if the file with this index can still be read. */
  has(index: number): boolean {
    return !this.#isWithin && index >= this.#next;
  }

  /**
   * Yields the content of a file for which `has` is true. Throws the signal's reason if aborted.
   */
  async *pieces(index: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    this.#isWithin = true;
    for (;;) {
      const { value: file } = await this.#files.next();
      if (!file) throw refused('it has fewer files than the last scan found');
      this.#isLinear = !file.isSkippable;
      const at = this.#next;
      this.#next += 1;
      if (at < index && !this.#isLinear) continue;
      for await (const piece of file.pieces) {
        signal.throwIfAborted();
        if (at === index) yield piece;
      }
      if (at === index) break;
    }
    this.#isWithin = false;
  }

  async close(): Promise<void> {
    // After the last file, this reaches the end of the archive, so that the unpacking thread
    // becomes free. Ignore errors: each file that was read has been compared with its checksum.
    if (!this.#isWithin) await this.#files.next().catch(() => undefined);
    await this.#files.return();
  }
}
