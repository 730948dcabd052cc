import { trigramsOf } from '../common-trigrams.ts';
import { searchLetters } from './migrations/0031-search-letters.ts';

/**
 * Returns a LIKE pattern for the form in which the index stores texts (`search_letters`). It
 * matches every text that `pattern` matches, and possibly more.
 */
export function lettersPattern(pattern: string): string {
  // A character that `_` matches may be stored as two letters, so `%` is used instead.
  return pattern.replaceAll('_', '%').replace(/[^%]+/g, searchLetters);
}

/**
 * Like `lettersPattern`, but includes only the given trigrams of the pattern, because the index
 * needs time for each trigram. Returns null if the pattern contains none of them.
 */
export function lettersPatternOf(pattern: string, trigrams: ReadonlySet<string>): string | null {
  const parts = pattern.split(/[%_]/).flatMap((piece) => partsOf([...piece], trigrams));
  return parts.length === 0 ? null : `%${parts.map(searchLetters).join('%')}%`;
}

/**
 * Returns whether the given trigrams include all trigrams of a pattern. If they do, the stored form
 * of a text matches exactly when the text itself matches. Returns false for patterns with `_`, for
 * which this does not hold.
 */
export function isOfTrigrams(pattern: string, trigrams: ReadonlySet<string>): boolean {
  if (pattern.includes('_')) return false;
  const all = pattern.split('%').flatMap(trigramsOf);
  return all.length > 0 && all.every((trigram) => trigrams.has(trigram));
}

/**
 * Returns the parts of a text that the given trigrams cover, in order. Overlapping trigrams form
 * one part. Adjacent trigrams form two parts, because no given trigram spans the boundary.
 */
function partsOf(characters: readonly string[], trigrams: ReadonlySet<string>): string[] {
  const parts: string[] = [];
  let end = 0; // where the last part ends
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
