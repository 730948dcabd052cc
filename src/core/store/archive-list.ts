import { fold } from '../shared/search-text.ts';
import { compareByCodePoint } from '../shared/text.ts';

/** Names of archives with what search compares. */
export class ArchiveList {
  /** By code point. */
  readonly names: readonly string[];
  #folded: readonly string[] | null = null;

  constructor(names: readonly string[]) {
    this.names = names.toSorted(compareByCodePoint);
  }

  /** The names that hold every word of a query, without regard to case and accents; all for none. */
  find(query: string): readonly string[] {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.names;
    this.#folded ??= this.names.map(fold);
    const folded = this.#folded;
    return this.names.filter((_name, at) => words.every((word) => folded[at]?.includes(word)));
  }
}
