import type { Content, GameContent, PlaceOptions } from '../../core/builds/ports.ts';
import type { UnpackingWriter } from './unpacking-writer.ts';
import type { ContentWriter } from './write-content.ts';

/**
 * Writes the files of a target. Their bytes come from library files, or out of library archives.
 */
export class GameWriter {
  readonly #plain: ContentWriter;
  readonly #packed: UnpackingWriter;

  constructor(plain: ContentWriter, packed: UnpackingWriter) {
    this.#plain = plain;
    this.#packed = packed;
  }

  /** See `ContentWriter.write`. */
  write(path: string, content: Content, options: PlaceOptions): Promise<void> {
    if (content.from === 'archive') return this.#packed.write(path, content, options);
    return this.#plain.write(path, content, options);
  }

  /** Throws `StepProblem` if a file of the target differs from its source. */
  compare(path: string, content: GameContent, signal: AbortSignal): Promise<void> {
    if (content.from === 'archive') return this.#packed.compare(path, content, signal);
    return this.#plain.compare(path, content, signal);
  }

  /** Closes the archive that is open. */
  close(): Promise<void> {
    return this.#packed.close();
  }
}
