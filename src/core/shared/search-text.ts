import { invalidField } from './errors.ts';
import { normaliseSerials } from './serial.ts';

/** Text as search compares it: without accents, lower case, one form per character (Unicode NFKD). */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').trim();
}

/** What search looks at for one name and its serials: the folded name, and what `serialSearchText` gives. */
export function searchText(name: string, serial: string): string {
  return joinSearchTexts([fold(name), serialSearchText(serial)]);
}

/** What search looks at for serials: folded as they are written, and in their normalised forms. */
export function serialSearchText(serial: string): string {
  return joinSearchTexts([fold(serial), ...normaliseSerials(serial).map(fold)]);
}

/** Several texts as one that search looks at. */
export function joinSearchTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join(' ');
}

/**
 * The alternatives for each word of a query, all of which must be found: the word folded, and for one like a serial
 * ("ULES-00288") also its normalised form.
 */
export function searchWords(query: string): string[][] {
  return wordsOf(query).map((word) => {
    const forms = likeSerial.test(word) ? normaliseSerials(word).map(fold) : [];
    return [...new Set([word, ...forms.slice(0, 1)])];
  });
}

const mostWords = 16;

/** How a search of too many words is refused. */
export const tooManyWords = () => invalidField('search', `must be at most ${mostWords} words`);

/** Throws a 422 for a search of too many words, each of which is looked for on its own. */
export function checkWords(query: string): void {
  if (wordsOf(query).length > mostWords) throw tooManyWords();
}

/** Text that could only be a mistake or an attack finds nothing, at no cost (decisions.md). */
export function isNoSearch(text: string): boolean {
  return text.includes('\0') || [...text].length > 1000;
}

function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

/** Parts of letters and digits, with two digits at least: "P:" and "100%" are no serials. */
const likeSerial = /^(?=.*\d.*\d)[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+$/u;
