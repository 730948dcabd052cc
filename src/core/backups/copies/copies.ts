import { type Areas, FilesCopy } from './copy-files.ts';
import type { CopyReport, CopyWatch } from './copy-report.ts';
import type { CopiedDatabase, DatabasePlace, FilesPlace } from './ports.ts';

/** Destination of a catalogue copy. */
export interface CopyPlace {
  readonly database: DatabasePlace;
  /** Null when the files stay where they are. */
  readonly files: FilesPlace | null;
  /** Runs when everything is copied and compared, just before a server's database is complete. */
  beforeEnd(): Promise<void>;
  /**
   * Runs when the database is complete, and moves a database file to its place. After that, a later
   * copy has nothing to resume.
   */
  end(): Promise<void>;
}

/**
 * Copies a catalogue to another place, between any engines: the files first, then the database
 * state that matches them.
 */
export class Copies {
  readonly #areas: Areas;
  readonly #database: CopiedDatabase;

  constructor(parts: { areas: Areas; database: CopiedDatabase }) {
    this.#areas = parts.areas;
    this.#database = parts.database;
  }

  /**
   * Throws refused() with a line when the destination is not usable, or when something there
   * differs from what was read. Throws the signal's reason. Then the destination contains no
   * catalogue, but perhaps files; the next copy to it reuses them.
   */
  async copy(place: CopyPlace, watch: CopyWatch): Promise<CopyReport> {
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
    await place.files?.dropOthers();
    const what = {
      files: copied,
      areObjects: place.files?.hasObjects === true,
      beside: async () => files?.checkUnchanged(),
      beforeEnd: () => place.beforeEnd(),
    };
    const { name, rows, uploads } = await this.#database.copy(place.database, what, watch);
    await place.end();
    await place.files?.end();
    return { database: name, rows, files: files?.report() ?? null, uploads };
  }
}
