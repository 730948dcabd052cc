import { trigramsOf } from '../common-trigrams.ts';
import { searchLetters } from './migrations/0031-search-letters.ts';

/**
 * Returns a LIKE pattern for a text as the index stores it (`search_letters`). It matches wherever
 * `pattern` does.
 */
export function lettersPattern(pattern: string): string {
  // A character matched by `_` may be stored as two letters.
  return pattern.replaceAll('_', '%').replace(/[^%]+/g, searchLetters);
}

/**
 * Like lettersPattern(), but with only these trigrams of the pattern, because each costs the index
 * time. Returns null if the pattern has none of them.
 */
export function lettersPatternOf(pattern: string, trigrams: ReadonlySet<string>): string | null {
  const parts = pattern.split(/[%_]/).flatMap((piece) => partsOf([...piece], trigrams));
  return parts.length === 0 ? null : `%${parts.map(searchLetters).join('%')}%`;
}

/**
 * Whether these are all trigrams that the index would be searched for with a whole pattern. The
 * stored text then matches exactly where the original does. With `_` in the pattern, or a character
 * that the index does not know, it may not.
 */
export function isOfTrigrams(pattern: string, trigrams: ReadonlySet<string>): boolean {
  if (pattern.includes('_')) return false;
  const all = pattern.split('%').flatMap(trigramsOf);
  return all.length > 0 && all.every((trigram) => trigrams.has(trigram));
}

/**
 * Returns the parts of a text that these trigrams cover, in order. Trigrams that touch without
 * overlapping form separate parts, because no given trigram spans their boundary.
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
