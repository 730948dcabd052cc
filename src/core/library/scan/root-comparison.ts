import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile, KnownFile } from '../library-file.ts';

/**
 * Compares the files found below a root with the known files, both in path order. Differences are
 * found during the walk. A file without a difference is dropped at once, unless `mustCollect`
 * retains the file. Files without a counterpart are compared again at the end. They were added or
 * deleted, or the database orders paths differently (by UTF-8).
 */
export class RootComparison {
  /** Found files that are new or have another size or time than recorded. */
  readonly changed: FoundFile[] = [];
  /** Known files for which a file with another size or time was found at the same path. */
  readonly replaced: KnownFile[] = [];
  /** The found files and the known files at the paths for which `mustCollect` returns true. */
  readonly collectedFound: FoundFile[] = [];
  readonly collectedKnown: KnownFile[] = [];
  foundCount = 0;
  knownCount = 0;
  readonly #pages: AsyncIterator<readonly KnownFile[]>;
  readonly #mustCollect: (path: string) => boolean;
  readonly #isComplete: (file: FoundFile) => boolean;
  #page: readonly KnownFile[] = [];
  #next = 0;
  #isAtEnd = false;
  readonly #foundAlone: FoundFile[] = [];
  readonly #knownAlone = new Map<string, KnownFile>();

  /**
   * `mustCollect` must return true for a path if its files are collected even without a change. A
   * changed file for which `isComplete` returns false counts as unchanged.
   */
  constructor(
    known: AsyncIterable<readonly KnownFile[]>,
    mustCollect: (path: string) => boolean,
    isComplete: (file: FoundFile) => boolean = () => true,
  ) {
    this.#pages = known[Symbol.asyncIterator]();
    this.#mustCollect = mustCollect;
    this.#isComplete = isComplete;
  }

  /**
   * Compares a batch of found files. Call `add` again only after the returned promise has resolved.
   */
  async add(files: readonly FoundFile[]): Promise<void> {
    this.foundCount += files.length;
    for (const file of files) {
      if (this.#mustCollect(file.path)) this.collectedFound.push(file);
      while (this.#passBefore(file.path) && !this.#isAtEnd) await this.#turnPage();
      const known = this.#page[this.#next];
      if (known?.path === file.path) {
        this.#next += 1;
        this.#compare(file, known);
      } else this.#foundAlone.push(file);
    }
  }

  /**
   * Compares the remaining files, and returns the known files that were not found. Call this method
   * after all files were added.
   */
  async end(): Promise<KnownFile[]> {
    for (; !this.#isAtEnd; await this.#turnPage()) {
      for (const known of this.#page.slice(this.#next)) this.#knownAlone.set(known.path, known);
    }
    await forEachInSlices(this.#foundAlone, (file) => {
      this.#compare(file, this.#knownAlone.get(file.path));
      this.#knownAlone.delete(file.path);
    });
    return [...this.#knownAlone.values()];
  }

  /**
   * Skips the known files of the page that sort before `path`. The skipped files have no
   * counterpart so far. Returns true if the whole page was skipped.
   */
  #passBefore(path: string): boolean {
    for (; this.#next < this.#page.length; this.#next += 1) {
      const known = this.#page[this.#next] as KnownFile;
      if (known.path >= path) return false;
      this.#knownAlone.set(known.path, known);
    }
    return true;
  }

  async #turnPage(): Promise<void> {
    const { value, done } = await this.#pages.next();
    this.#page = done === true ? [] : value;
    this.#next = 0;
    this.#isAtEnd = done === true;
    this.knownCount += this.#page.length;
    for (const known of this.#page)
      if (this.#mustCollect(known.path)) this.collectedKnown.push(known);
  }

  #compare(file: FoundFile, known: KnownFile | undefined): void {
    if (known?.size === file.size && known.mtimeNs === file.mtimeNs) return;
    if (!this.#isComplete(file)) return;
    this.changed.push(file);
    if (known !== undefined) this.replaced.push(known);
  }
}
