/**
 * The case in which a release is sold: its shape (width divided by height), and the picture drawn
 * on the case.
 */
export interface Sleeve {
  readonly ratio: number;
  readonly art: 'disc' | 'umd' | 'film' | 'cartridge';
}

const kinds: readonly (readonly [RegExp, Sleeve])[] = [
  [/umd|psp|playstation portable/i, { ratio: 0.58, art: 'umd' }],
  [/playstation 2|playstation 3|gamecube|wii|xbox/i, { ratio: 0.71, art: 'disc' }],
  [
    /playstation$|saturn|dreamcast|mega-?cd|sega cd|pc engine cd|cd-?i|3do|neo geo cd|jaguar cd|amiga cd|pippin|fm ?towns/i,
    { ratio: 1, art: 'disc' },
  ],
  [/\b(cd|disc)\b/i, { ratio: 1, art: 'disc' }],
];

/**
 * Returns the kind of case in which a platform's releases are sold. The kind is a guess from the
 * platform's name.
 */
export function sleeveOf(platform: string, system: string): Sleeve {
  const kind = kinds.find(([name]) => name.test(platform))?.[1];
  if (system === 'videos') return { ratio: kind?.ratio ?? 0.71, art: 'film' };
  return kind ?? { ratio: 0.74, art: 'cartridge' };
}
