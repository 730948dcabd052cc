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

/** Texts of one or two characters that occur in few names or in none. */
export const rareTexts = ['ü', 'é', 'ß', '大', 'qx', 'xq', 'zx', 'jq', '#1', '~', '\u{1F3AE}'];
