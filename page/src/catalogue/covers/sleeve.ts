/**
 * The case in which a release is sold: its shape (width divided by height), the picture drawn on
 * the case, and its colour.
 */
export interface Sleeve {
  readonly ratio: number;
  readonly art: 'disc' | 'umd' | 'film' | 'cartridge';
  /** Hue of the colour, in degrees (OKLCH). */
  readonly hue: number;
}

const kinds: readonly (readonly [RegExp, Omit<Sleeve, 'hue'>])[] = [
  [/umd|psp|playstation portable/i, { ratio: 0.58, art: 'umd' }],
  [/playstation 2|playstation 3|gamecube|wii|xbox/i, { ratio: 0.71, art: 'disc' }],
  [
    /playstation$|saturn|dreamcast|mega-?cd|sega cd|pc engine cd|cd-?i|3do|neo geo cd|jaguar cd|amiga cd|pippin|fm ?towns/i,
    { ratio: 1, art: 'disc' },
  ],
  [/\b(cd|disc)\b/i, { ratio: 1, art: 'disc' }],
];

/**
 * The base hue of each maker's platforms. Other platforms get a hue from the hash of their name.
 */
const makers: readonly (readonly [RegExp, number])[] = [
  [/sony|playstation/i, 265],
  [/nintendo|game ?boy|gamecube/i, 25],
  [/sega/i, 225],
  [/microsoft|xbox/i, 145],
];
/** Maximum deviation from the maker's base hue in either direction, in degrees. */
const spread = 32;

/**
 * Returns the kind of case in which a platform's releases are sold. The kind is a guess from the
 * platform's name. The hue is always the same for the same name.
 */
export function sleeveOf(platform: string, system: string): Sleeve {
  const kind = kinds.find(([name]) => name.test(platform))?.[1];
  const hue = hueOf(platform);
  if (system === 'videos') return { ratio: kind?.ratio ?? 0.71, art: 'film', hue };
  return { ...(kind ?? { ratio: 0.74, art: 'cartridge' }), hue };
}

function hueOf(platform: string): number {
  const hash = hashOf(platform);
  const maker = makers.find(([name]) => name.test(platform))?.[1];
  if (maker === undefined) return hash % 360;
  return (360 + maker - spread + (hash % (2 * spread + 1))) % 360;
}

/** Returns the 32-bit FNV-1a hash of a text's UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
