import type {
  AlikeChoice,
  FileDetails,
  listAlikeChoices,
  listFiles,
  matchFile,
  matchFiles,
  readFile,
} from '../api/library.ts';

/** Number of files that are shown at a time. */
const shownFiles = 10;
/** Maximum number of other candidates that the server compares with the chosen release. */
const maxOthers = 100;

/** The server requests of the queue. */
export interface UndecidedApi {
  readonly listFiles: typeof listFiles;
  readonly readFile: typeof readFile;
  readonly matchFile: typeof matchFile;
  readonly matchFiles: typeof matchFiles;
  readonly listAlikeChoices: typeof listAlikeChoices;
}

/** The first undecided files of the library, by name, with their candidates. */
export class UndecidedQueue {
  /** Number of undecided files that match the search; null until the first response. */
  total: number | null = $state(null);
  /** The files to decide now, at most ten. */
  files: readonly FileDetails[] = $state.raw([]);
  failure: unknown = $state.raw(null);
  /**
   * The rules that explain the last choice and can decide other files too. Empty before the first
   * choice.
   */
  alike: readonly AlikeChoice[] = $state.raw([]);
  readonly #api: UndecidedApi;
  readonly #search: string;
  #reading = new AbortController();

  constructor(search: string, api: UndecidedApi) {
    this.#search = search;
    this.#api = api;
  }

  /** Reads the first files. Does not read files again that are already shown. Never rejects. */
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
   * Matches a file to a release, removes the file from the queue, and reads the next file. If the
   * server refuses, rejects and keeps the file.
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
   * Matches the files of a rule to their releases, and returns the ids of the matched files. If the
   * server refuses, rejects and matches no file.
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
      const checked = others.slice(0, maxOthers);
      if (checked.length === 0) return;
      const alike = await this.#api.listAlikeChoices(chosen, checked, signal);
      if (!signal.aborted) this.alike = alike;
    } catch {
      // If the request fails, no rules are offered. The choice itself has succeeded.
    }
  }

  close(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }
}
