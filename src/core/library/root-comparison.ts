import { forEachInSlices } from '../shared/slices.ts';
import type { FoundFile, KnownFile } from './library-file.ts';

/**
 * What is found below a root against what is known of it, both in the order of their paths: so one pass tells what
 * differs while the walk goes on, and what agrees is forgotten at once. Where the two orders disagree (the database's is
 * that of UTF-8) or a file came or went, what found no partner is looked up at the end.
 */
export class RootComparison {
  /** Found, and new or of another size or time. */
  readonly changed: FoundFile[] = [];
  /** Known where there is another file now. */
  readonly replaced: KnownFile[] = [];
  /** Of the paths that are kept. */
  readonly keptFound: FoundFile[] = [];
  readonly keptKnown: KnownFile[] = [];
  foundCount = 0;
  knownCount = 0;
  readonly #pages: AsyncIterator<readonly KnownFile[]>;
  readonly #keeps: (path: string) => boolean;
  #page: readonly KnownFile[] = [];
  #next = 0;
  #isAtEnd = false;
  readonly #foundAlone: FoundFile[] = [];
  readonly #knownAlone = new Map<string, KnownFile>();

  /** `keeps` tells of which paths everything is kept, changed or not. */
  constructor(known: AsyncIterable<readonly KnownFile[]>, keeps: (path: string) => boolean) {
    this.#pages = known[Symbol.asyncIterator]();
    this.#keeps = keeps;
  }

  /** To be called again when it came to its end. */
  async add(files: readonly FoundFile[]): Promise<void> {
    this.foundCount += files.length;
    for (const file of files) {
      if (this.#keeps(file.path)) this.keptFound.push(file);
      while (this.#passBefore(file.path) && !this.#isAtEnd) await this.#turnPage();
      const known = this.#page[this.#next];
      if (known?.path === file.path) {
        this.#next += 1;
        this.#compare(file, known);
      } else this.#foundAlone.push(file);
    }
  }

  /** To be called when all files were added. Returns the known ones that were not found. */
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

  /** What is known before this path was not found there. Returns whether the page ends before the path. */
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
    for (const known of this.#page) if (this.#keeps(known.path)) this.keptKnown.push(known);
  }

  #compare(file: FoundFile, known: KnownFile | undefined): void {
    if (known?.size === file.size && known.mtimeNs === file.mtimeNs) return;
    this.changed.push(file);
    if (known !== undefined) this.replaced.push(known);
  }
}
