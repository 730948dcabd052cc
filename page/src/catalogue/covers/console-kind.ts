/** The kinds of consoles that have a drawing of their own. */
export type ConsoleKind = 'disc' | 'cartridge' | 'handheld' | 'wide' | 'computer' | 'film';

const kinds: readonly (readonly [RegExp, ConsoleKind])[] = [
  [/umd video/i, 'film'],
  [/portable|vita|psp|game gear|lynx|switch|nomad|3ds|nintendo ds/i, 'wide'],
  [/game boy|gameboy|neo geo pocket|wonderswan|pok[eé]mon mini|gp32|n-gage/i, 'handheld'],
  [
    /playstation|saturn|dreamcast|mega-?cd|sega cd|gamecube|wii|xbox|cd-?i|3do|neo geo cd|pc engine cd|turbografx-?cd|jaguar cd|cd32|pippin|fm ?towns|playdia|\bcd\b|\bdvd\b/i,
    'disc',
  ],
  [
    /amiga|atari st|commodore|spectrum|amstrad|msx|apple|macintosh|ibm|\bpc\b(?! engine)|x68000|pc-?98|pc-?88|dos\b|archimedes|bbc/i,
    'computer',
  ],
];

/**
 * Returns the kind of console that a platform is, such as `handheld`. The kind is a guess from the
 * platform's name.
 */
export function consoleKindOf(platform: string, system: string): ConsoleKind {
  if (system === 'videos') return 'film';
  return kinds.find(([name]) => name.test(platform))?.[1] ?? 'cartridge';
}
