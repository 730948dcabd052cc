import { type Areas, FilesCopy } from './copy-files.ts';
import type { CopyReport, CopyWatch } from './copy-report.ts';
import type { CopiedDatabase, DatabasePlace, FilesPlace } from './ports.ts';

/** Where a copy of a catalogue goes. */
export interface CopyPlace {
  readonly database: DatabasePlace;
  /** Null where the files stay. */
  readonly files: FilesPlace | null;
  /** Runs when all is there and compared, just before a server's database has it. */
  beforeEnd(): Promise<void>;
  /** Runs when the database is whole, and gives one in a file its place; nothing is left then for a copy to go on with. */
  end(): Promise<void>;
}

/** Copies a catalogue to another place, whatever the engines: the files first, then the database as it belongs to them. */
export class Copies {
  readonly #areas: Areas;
  readonly #database: CopiedDatabase;

  constructor(parts: { areas: Areas; database: CopiedDatabase }) {
    this.#areas = parts.areas;
    this.#database = parts.database;
  }

  /**
   * Throws refused() with a line when the place cannot be used or something is not there as it was read, and the signal's
   * reason; then the place holds no catalogue, but perhaps files, which the next copy to it leaves where they are.
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
