import { fold } from '../shared/search-text.ts';
import { compareByCodePoint } from '../shared/text.ts';

/**
 * A searchable list of archive names. Caches the folded form of the names that searches compare.
 */
export class ArchiveList {
  /** The names, ordered by code point. */
  readonly names: readonly string[];
  #folded: readonly string[] | null = null;

  constructor(names: readonly string[]) {
    this.names = names.toSorted(compareByCodePoint);
  }

  /**
   * Returns the names that contain every word of a query. Case and accents are ignored. Returns all
   * names for an empty query.
   */
  find(query: string): readonly string[] {
    const words = fold(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.names;
    this.#folded ??= this.names.map(fold);
    const folded = this.#folded;
    return this.names.filter((_name, at) => words.every((word) => folded[at]?.includes(word)));
  }
}
