import { lowerAscii } from '../../core/shared/text.ts';

/**
 * Articles that `order=title` ignores at the start of a name, and after its first comma. The
 * database stores names without these articles (migration 0037), so a change of this list needs a
 * migration.
 */
export const articles = [
  ...['the', 'a', 'an'],
  ...['der', 'die', 'das'],
  ...['le', 'la', 'les'],
  ...['el', 'los', 'las'],
  ...['il', 'gli', 'het'],
] as const;

/**
 * Letters with accents that are sorted like letters without accents. The list is short, because
 * older programs cannot read a schema in which more functions are nested.
 */
export const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'áàâäÄ',
    c: 'ç',
    e: 'éÉèêë',
    i: 'í',
    n: 'ñ',
    o: 'óôöÖōŌ',
    u: 'úüÜ',
  }).flatMap(([letter, accented]) => [...accented].map((one) => [one, letter] as const)),
);

/** Characters after which an article at the start is not ignored, as in "A - The Game". */
export const afterNoArticle = ['', ' ', '(', '-', '&', '+', ','] as const;

/**
 * Returns the text by which a name is sorted: in lower case, without accents, without an article at
 * the start or after the first comma. The database calculates the same text.
 */
export function sortName(name: string): string {
  const plain = plainName(name);
  const lower = lowerAscii(name);
  const space = name.indexOf(' ');
  const next = [...name.slice(space + 1)][0] ?? '';
  if (space > 0 && isIn(articles, lower.slice(0, space)) && !isIn(afterNoArticle, next)) {
    return plain.slice(space + 1);
  }
  const comma = name.indexOf(', ');
  const [word = ''] = lower.slice(comma + 2).split(' ', 1);
  if (comma < 0 || !isIn(articles, word)) return plain;
  return plain.slice(0, comma) + plain.slice(comma + 2 + word.length);
}

/** Returns a name in lower case and without accents. */
export function plainName(name: string): string {
  return [...lowerAscii(name)].map((each) => accents.get(each) ?? each).join('');
}

function isIn(list: readonly string[], text: string): boolean {
  return list.includes(text);
}
