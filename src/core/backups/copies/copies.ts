import { type Areas, FilesCopy } from './copy-files.ts';
import type { CopyReport, CopyWatch } from './copy-report.ts';
import type { DatabaseDestination, FilesDestination, SourceDatabase } from './ports.ts';

/** Destination of a catalogue copy. */
export interface CopyDestination {
  readonly database: DatabaseDestination;
  /**
   * Destination of the files. Null when the files are not copied and stay in their present storage.
   */
  readonly files: FilesDestination | null;
  /**
   * Called when everything is copied and compared, just before a copy on a database server is
   * marked as complete.
   */
  beforeEnd(): Promise<void>;
  /**
   * Called when the database is complete. Moves a database file to its final path. After this call,
   * no later copy can resume this copy.
   */
  end(): Promise<void>;
}

/**
 * Copies a catalogue to another place, from any database engine to any other. The files are copied
 * first, then the database state that records exactly these files.
 */
export class Copies {
  readonly #areas: Areas;
  readonly #database: SourceDatabase;

  constructor(parts: { areas: Areas; database: SourceDatabase }) {
    this.#areas = parts.areas;
    this.#database = parts.database;
  }

  /**
   * Copies the catalogue. Throws refused() with a one-line message when the destination is
   * unusable, or when its content differs from what was read. Throws the signal's reason when
   * aborted. After an error the destination contains no catalogue. It may contain files, which the
   * next copy to this destination reuses.
   */
  async copy(place: CopyDestination, watch: CopyWatch): Promise<CopyReport> {
    const files =
      place.files === null
        ? null
        : new FilesCopy({
            areas: this.#areas,
            database: this.#database,
            place: place.files,
            watch,
          });
    const copied = files === null ? null : await files.run();
    await place.files?.removeUnused();
    const what = {
      files: copied,
      areObjects: place.files?.hasObjects === true,
      whileLocked: async () => files?.checkUnchanged(),
      beforeEnd: () => place.beforeEnd(),
    };
    const { name, rows, uploads, dats } = await this.#database.copy(place.database, what, watch);
    await place.end();
    await place.files?.end();
    return { database: name, rows, files: files?.report() ?? null, uploads, dats };
  }
}
