import { refused } from '../../core/shared/errors.ts';

/** A file while its archive is unpacked. Its pieces are read before the next file is asked for. */
export interface UnpackedFile {
  /** Each piece is valid only until the next one is asked for. */
  readonly pieces: AsyncIterable<Buffer>;
  /** True if the next file can be asked for without reading this one. */
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
 * An archive that is unpacked from its start to its end. Stays open between two of its files, so
 * that a solid archive is unpacked once for all of them.
 */
export class UnpackedArchive {
  readonly #files: AsyncGenerator<UnpackedFile, void, undefined>;
  /** The index of the next file. */
  #next = 0;
  /** True while the pieces of a file are read, and after an error. */
  #isWithin = false;
  /** False if each file is packed by itself, so that one can be damaged and the next one not. */
  #isLinear = true;

  constructor(files: AsyncGenerator<UnpackedFile, void, undefined>) {
    this.#files = files;
  }

  get isLinear(): boolean {
    return this.#isLinear;
  }

  /** Returns true if a file has not passed yet. */
  has(index: number): boolean {
    return !this.#isWithin && index >= this.#next;
  }

  /** Yields the content of a file that has not passed. Throws the signal's reason. */
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
    // At the end of the archive, the unpacking thread is free for the next one. An error there
    // concerns no file that was read: each was compared with its checksum.
    if (!this.#isWithin) await this.#files.next().catch(() => undefined);
    await this.#files.return();
  }
}
