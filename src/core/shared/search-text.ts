import { invalidField } from './errors.ts';
import { normaliseSerials } from './serial.ts';

/**
 * Returns the folded form of a text. Searches compare the folded forms of texts. The folded form is
 * in lower case, has no accents, and uses one form of each character (Unicode NFKD).
 */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').trim();
}

/**
 * Returns the search text of a release. Searches for names and serials are matched against the
 * search text. The search text consists of the folded name and the result of `serialSearchText`.
 */
export function searchText(name: string, serial: string): string {
  return joinSearchTexts([fold(name), serialSearchText(serial)]);
}

/**
 * Returns the search text of serials: the serials as written and in their normalised forms, all
 * folded.
 */
export function serialSearchText(serial: string): string {
  return joinSearchTexts([fold(serial), ...normaliseSerials(serial).map(fold)]);
}

/** Joins search texts, separated by spaces. Empty texts are left out. */
export function joinSearchTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ');
}

/**
 * Returns a list of alternatives for each word of a query. The alternatives are the folded word
 * and, if the word looks like a serial ("ULES-00288"), its normalised form. A match must contain
 * one alternative of every word.
 */
export function searchWords(query: string): string[][] {
  return wordsOf(query).map((word) => {
    const forms = likeSerial.test(word) ? normaliseSerials(word).map(fold) : [];
    return [...new Set([word, ...forms.slice(0, 1)])];
  });
}

const maxWords = 16;

/** Returns the error for a search with too many words. */
export const tooManyWords = () => invalidField('search', `must be at most ${maxWords} words`);

/**
 * Throws a 422 for a search with too many words. The number of words is limited because each word
 * takes a separate search.
 */
export function checkWords(query: string): void {
  if (hasTooManyWords(query)) throw tooManyWords();
}

export function hasTooManyWords(query: string): boolean {
  return wordsOf(query).length > maxWords;
}

/**
 * Returns true if a search text can only be a mistake or an attack (docs/api/decisions.md). For
 * such a text, nothing is found and no query is made.
 */
export function isUnsearchable(text: string): boolean {
  return text.includes('\0') || [...text].length > 1000;
}

function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/**
 * Matches words that look like serials: letters and digits, joined by punctuation, with at least
 * two digits. "P:" and "100%" do not match.
 */
const likeSerial = /^(?=.*\d.*\d)[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+$/u;
