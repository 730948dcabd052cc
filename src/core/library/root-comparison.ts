import type { FoundFile, KnownFile } from './library-file.ts';

/**
 * What is found below a root against what is known of it, both in the order of their paths: so one pass tells what
 * differs, file by file, while the walk goes on. Where the two orders disagree (the database's is that of UTF-8) or a file
 * came or went, what found no partner is looked up at the end.
 */
export class RootComparison {
  /** Found, and new or of another size or time. */
  readonly changed: FoundFile[] = [];
  /** Known where there is another file now. */
  readonly replaced: KnownFile[] = [];
  readonly known: readonly KnownFile[];
  #next = 0;
  readonly #foundAlone: FoundFile[] = [];
  readonly #knownAlone = new Map<string, KnownFile>();

  constructor(known: readonly KnownFile[]) {
    this.known = known;
  }

  add(file: FoundFile): void {
    let known = this.known[this.#next];
    while (known !== undefined && known.path !== file.path && known.path < file.path) {
      this.#knownAlone.set(known.path, known);
      this.#next += 1;
      known = this.known[this.#next];
    }
    if (known?.path === file.path) {
      this.#next += 1;
      this.#compare(file, known);
    } else this.#foundAlone.push(file);
  }

  /** To be called when all files were added. Returns the known ones that were not found. */
  end(): KnownFile[] {
    for (const known of this.known.slice(this.#next)) this.#knownAlone.set(known.path, known);
    for (const file of this.#foundAlone) {
      this.#compare(file, this.#knownAlone.get(file.path));
      this.#knownAlone.delete(file.path);
    }
    return [...this.#knownAlone.values()];
  }

  #compare(file: FoundFile, known: KnownFile | undefined): void {
    if (known?.size === file.size && known.mtimeNs === file.mtimeNs) return;
    this.changed.push(file);
    if (known !== undefined) this.replaced.push(known);
  }
}
