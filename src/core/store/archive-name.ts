import { invalidFilename } from '../shared/errors.ts';

/**
 * The stored name for a supplied one: everything but letters, digits, `.`, `_`, `(`, `)`, `-` and space is removed
 * (account-api.md, endpoint 18); letters and digits are Unicode's, in NFC, and combining marks behind a letter belong to
 * it (decisions.md). Throws `invalid filename` when what is left is empty, only spaces, only dots, or over 255 bytes.
 */
export function cleanArchiveName(supplied: string): string {
  const name = cleaned(supplied);
  if (isNoName(name) || Buffer.byteLength(name) > 255) throw invalidFilename();
  return name;
}

/** What archives are compared by: their cleaned names without the ending. */
export function archiveStem(name: string): string {
  return cleaned(withoutEnding(name));
}

/** What a release calls itself and its files. */
export interface ReleaseNames {
  /** Its own name, and those that sources give it. */
  readonly titles: readonly string[];
  readonly roms: readonly string[];
}

/** The stems of archives that are named like a release, or like one of its ROMs with or without the ROM's ending. */
export function stemsLike({ titles, roms }: ReleaseNames): ReadonlySet<string> {
  const stems = [
    ...titles.map(cleaned),
    ...roms.flatMap((rom) => [cleaned(rom), archiveStem(rom)]),
  ];
  return new Set(stems.filter((stem) => !isNoName(stem)));
}

function cleaned(text: string): string {
  const kept = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}._() -]|(?<![\p{L}\p{M}])\p{M}+/gu, '');
  // Again, because parts of a Hangul syllable may have come together.
  return kept.normalize('NFC');
}

function isNoName(name: string): boolean {
  return /^(?: *|\.*)$/.test(name);
}

/** An ending has a letter, so that "Game v1.0" has none. */
function withoutEnding(name: string): string {
  return name.replace(/(?:\.tar)?\.(?=\p{Nd}*\p{L})[\p{L}\p{Nd}]{1,8}$/iu, '');
}
