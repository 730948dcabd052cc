/**
 * Returns `count` search texts as users type them, derived from names of releases. The texts are
 * short and long, common, rare and absent; some have wildcards.
 */
export function searchTexts(names: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const name = names[i % names.length] ?? '';
    const length = 1 + (i % 30);
    const start = (i * 7) % Math.max(1, name.length - length);
    const part = name.slice(start, start + length);
    if (i % 10 === 8) return `${part}zq${i}`; // matches no name
    if (i % 10 === 9) return `${part.slice(0, 3)}%${part.slice(-2)}`;
    return part;
  });
}

/**
 * Returns `count` texts as users type them letter by letter: beginnings of titles, and parts of
 * titles that start at a later word.
 */
export function typedTexts(names: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const [title = ''] = (names[i % names.length] ?? '').split(' (');
    const words = title.split(' ');
    const first = i % 2 === 0 ? 0 : i % words.length;
    return words
      .slice(first)
      .join(' ')
      .slice(0, 1 + (i % 20));
  });
}

/** Texts of one or two characters that occur in few names or in none. */
export const rareTexts = ['ü', 'é', 'ß', '大', 'qx', 'xq', 'zx', 'jq', '#1', '~', '\u{1F3AE}'];
