import type {
  AlikeChoice,
  FileDetails,
  listAlike,
  listFiles,
  matchFile,
  matchFiles,
  readFile,
} from '../api/library.ts';

/** Number of files that are shown at a time. */
const shownFiles = 10;
/** Number of candidates with which the server compares a choice. */
const maxOthers = 100;

/** The server requests of the queue. */
export interface UndecidedApi {
  readonly listFiles: typeof listFiles;
  readonly readFile: typeof readFile;
  readonly matchFile: typeof matchFile;
  readonly matchFiles: typeof matchFiles;
  readonly listAlike: typeof listAlike;
}

/** The undecided files of the library with their candidates, the first ones by name. */
export class UndecidedQueue {
  /** Number of undecided files that match the search; null until the first response. */
  total: number | null = $state(null);
  /** The files to decide now, at most ten. */
  files: readonly FileDetails[] = $state.raw([]);
  failure: unknown = $state.raw(null);
  /** The rules of the last choice that decide more files. Empty before the first choice. */
  alike: readonly AlikeChoice[] = $state.raw([]);
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
    const candidates = this.files.find(({ id }) => id === file)?.candidates ?? [];
    await this.#api.matchFile(file, release);
    this.files = this.files.filter(({ id }) => id !== file);
    if (this.total !== null) this.total -= 1;
    const others = candidates.map(({ id }) => id).filter((id) => id !== release);
    const isCandidate = others.length < candidates.length;
    this.alike = [];
    await this.load();
    if (isCandidate) await this.#findAlike(release, others);
  }

  /**
   * Decides the files of a rule, and returns the ids of those that were decided. Rejects if the
   * server refuses; then none is decided.
   */
  async chooseAlike({ files }: AlikeChoice): Promise<readonly number[]> {
    const choices = files.map(({ id, release }) => ({ file_id: id, release_id: release.id }));
    const decided = await this.#api.matchFiles(choices);
    this.alike = [];
    await this.load();
    return decided;
  }

  /** Undoes several choices. Rejects if the server refuses. */
  async undoAlike(files: readonly number[]): Promise<void> {
    await this.#api.matchFiles(files.map((id) => ({ file_id: id, release_id: null })));
    await this.load();
  }

  /** Undoes a choice, so that the file is undecided again. Rejects if the server refuses. */
  async undo(file: number): Promise<void> {
    await this.#api.matchFile(file, null);
    this.alike = [];
    await this.load();
  }

  async #findAlike(chosen: number, others: readonly number[]): Promise<void> {
    const { signal } = this.#reading;
    try {
      const most = others.slice(0, maxOthers);
      if (most.length === 0) return;
      const alike = await this.#api.listAlike(chosen, most, signal);
      if (!signal.aborted) this.alike = alike;
    } catch {
      // Without an answer, nothing is offered. The choice itself has succeeded.
    }
  }

  close(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }
}
