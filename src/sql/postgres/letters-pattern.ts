import { trigramsOf } from '../releases/trigram-sample.ts';
import { searchLetters } from './migrations/0031-search-letters.ts';

/**
 * Returns a LIKE pattern for the form in which the index stores texts (`search_letters`). The
 * result matches every text that `pattern` matches, and possibly more texts.
 */
export function lettersPattern(pattern: string): string {
  // A character that `_` matches may be stored as two letters, so `%` is used instead.
  return pattern.replaceAll('_', '%').replace(/[^%]+/g, searchLetters);
}

/**
 * Like `lettersPattern`, but includes only the passed trigrams of the pattern, because the index
 * needs time for each trigram. Returns null if the pattern contains none of the passed trigrams.
 */
export function lettersPatternOf(pattern: string, trigrams: ReadonlySet<string>): string | null {
  const parts = pattern.split(/[%_]/).flatMap((piece) => partsOf([...piece], trigrams));
  return parts.length === 0 ? null : `%${parts.map(searchLetters).join('%')}%`;
}

/**
 * Returns true if the passed trigrams include all trigrams of a pattern. The stored form of a text
 * then matches if and only if the text itself matches. Patterns with `_` lack this property, so the
 * result is false for such patterns.
 */
export function isCoveredByTrigrams(pattern: string, trigrams: ReadonlySet<string>): boolean {
  if (pattern.includes('_')) return false;
  const all = pattern.split('%').flatMap(trigramsOf);
  return all.length > 0 && all.every((trigram) => trigrams.has(trigram));
}

/**
 * Returns the parts of a text that the passed trigrams cover, in order. Overlapping trigrams form
 * one part. Adjacent trigrams form two parts, because no passed trigram covers the boundary.
 */
function partsOf(characters: readonly string[], trigrams: ReadonlySet<string>): string[] {
  const parts: string[] = [];
  let end = 0; // end of the last part
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
