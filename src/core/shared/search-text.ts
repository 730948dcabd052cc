import { invalidField } from './errors.ts';
import { normaliseSerials } from './serial.ts';

/**
 * Returns text as search compares it: without accents, lower case, one form per character (Unicode
 * NFKD).
 */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').trim();
}

/**
 * Returns the text to search for a name and its serials: the folded name, and the result of
 * `serialSearchText`.
 */
export function searchText(name: string, serial: string): string {
  return joinSearchTexts([fold(name), serialSearchText(serial)]);
}

/** Returns the text to search for serials: folded as written, and in their normalised forms. */
export function serialSearchText(serial: string): string {
  return joinSearchTexts([fold(serial), ...normaliseSerials(serial).map(fold)]);
}

/** Joins several texts into one to search. */
export function joinSearchTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ');
}

/**
 * Returns the alternatives for each word of a query, of which every word must be found. They are
 * the folded word and, if it looks like a serial ("ULES-00288"), its normalised form.
 */
export function searchWords(query: string): string[][] {
  return wordsOf(query).map((word) => {
    const forms = likeSerial.test(word) ? normaliseSerials(word).map(fold) : [];
    return [...new Set([word, ...forms.slice(0, 1)])];
  });
}

const mostWords = 16;

/** The error for a search with too many words. */
export const tooManyWords = () => invalidField('search', `must be at most ${mostWords} words`);

/** Throws a 422 for a search with too many words, because each word is searched for on its own. */
export function checkWords(query: string): void {
  if (wordsOf(query).length > mostWords) throw tooManyWords();
}

/**
 * Whether a text can only be a mistake or an attack; it then finds nothing, at no cost
 * (decisions.md).
 */
export function isNoSearch(text: string): boolean {
  return text.includes('\0') || [...text].length > 1000;
}

function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/**
 * Groups of letters and digits, joined by punctuation, with at least two digits: "P:" and "100%"
 * are not serials.
 */
const likeSerial = /^(?=.*\d.*\d)[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+$/u;
