import type { FileDetails, listFiles, matchFile, readFile } from '../api/library.ts';

/** Number of files that are shown at a time. */
const shownFiles = 10;

/** The server requests of the queue. */
export interface UndecidedApi {
  readonly listFiles: typeof listFiles;
  readonly readFile: typeof readFile;
  readonly matchFile: typeof matchFile;
}

/** The undecided files of the library with their candidates, the first ones by name. */
export class UndecidedQueue {
  /** Number of undecided files that match the search; null until the first response. */
  total: number | null = $state(null);
  /** The files to decide now, at most ten. */
  files: readonly FileDetails[] = $state.raw([]);
  failure: unknown = $state.raw(null);
  readonly #api: UndecidedApi;
  readonly #search: string;
  #reading = new AbortController();

  constructor(search: string, api: UndecidedApi) {
    this.#search = search;
    this.#api = api;
  }

  /** Reads the first files. Files that are shown already are not read again. Never rejects. */
  async load(): Promise<void> {
    this.close();
    const { signal } = this.#reading;
    try {
      const filter = { search: this.#search, state: 'ambiguous' };
      const listed = await this.#api.listFiles(filter, { offset: 0, limit: shownFiles }, signal);
      const files = await Promise.all(
        listed.items.map(
          ({ id }) => this.files.find((file) => file.id === id) ?? this.#api.readFile(id, signal),
        ),
      );
      if (signal.aborted) return;
      this.total = listed.total;
      // A file may have been decided between the two requests.
      this.files = files.filter(({ state }) => state === 'ambiguous');
      this.failure = null;
    } catch (error) {
      if (!signal.aborted) this.failure = error;
    }
  }

  /**
   * Matches a file to a release, removes the file from the queue, and reads the next one. Rejects
   * if the server refuses; the file then stays.
   */
  async choose(file: number, release: number): Promise<void> {
    await this.#api.matchFile(file, release);
    this.files = this.files.filter(({ id }) => id !== file);
    if (this.total !== null) this.total -= 1;
    await this.load();
  }

  /** Undoes a choice, so that the file is undecided again. Rejects if the server refuses. */
  async undo(file: number): Promise<void> {
    await this.#api.matchFile(file, null);
    await this.load();
  }

  close(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }
}
