import { trigramsOf } from '../common-trigrams.ts';
import { searchLetters } from './migrations/0031-search-letters.ts';

/** A pattern of LIKE for a text as the index holds it (`search_letters`): where `pattern` matches, this one does. */
export function lettersPattern(pattern: string): string {
  // For a character that `_` stands for there may be two letters.
  return pattern.replaceAll('_', '%').replace(/[^%]+/g, searchLetters);
}

/** The same with only these trigrams of a pattern, for each of which the index takes time; null where it has none of them. */
export function lettersPatternOf(pattern: string, trigrams: ReadonlySet<string>): string | null {
  const parts = pattern.split(/[%_]/).flatMap((piece) => partsOf([...piece], trigrams));
  return parts.length === 0 ? null : `%${parts.map(searchLetters).join('%')}%`;
}

/**
 * Whether these are all trigrams that the index would be asked for by a whole pattern, which then matches just where the text
 * does: where `_` stands in it, or a character that the index does not know, it may be otherwise.
 */
export function isOfTrigrams(pattern: string, trigrams: ReadonlySet<string>): boolean {
  if (pattern.includes('_')) return false;
  const all = pattern.split('%').flatMap(trigramsOf);
  return all.length > 0 && all.every((trigram) => trigrams.has(trigram));
}

/** What these trigrams cover of a text, in its order; those that only touch are parts of their own, with no trigram in between. */
function partsOf(characters: readonly string[], trigrams: ReadonlySet<string>): string[] {
  const parts: string[] = [];
  let end = 0; // of the last part
  for (let i = 0; i + 3 <= characters.length; i += 1) {
    if (!trigrams.has(characters.slice(i, i + 3).join(''))) continue;
    const isNew = i >= end;
    const more = characters.slice(isNew ? i : end, i + 3).join('');
    if (isNew) parts.push(more);
    else parts[parts.length - 1] += more;
    end = i + 3;
  }
  return parts;
}
