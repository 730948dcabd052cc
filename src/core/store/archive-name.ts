import { invalidFilename } from '../shared/errors.ts';

/**
 * Returns the stored name for a supplied one. It removes everything but letters, digits, `.`, `_`,
 * `(`, `)`, `-` and space (account-api.md, endpoint 18). Letters and digits are Unicode's, in NFC,
 * and combining marks after a letter belong to it (decisions.md). Throws `invalid filename` when
 * the rest is empty, only spaces, only dots, or over 255 bytes.
 */
export function cleanArchiveName(supplied: string): string {
  const name = cleaned(supplied);
  if (isNoName(name) || Buffer.byteLength(name) > 255) throw invalidFilename();
  return name;
}

/** Returns the stem that archives are compared by: the cleaned name without its extension. */
export function archiveStem(name: string): string {
  return cleaned(withoutEnding(name));
}

/** The names of a release and of its files. */
export interface ReleaseNames {
  /** Its own name and the names that sources give it. */
  readonly titles: readonly string[];
  readonly roms: readonly string[];
}

/**
 * Returns the stems of archives that are named like a release, or like one of its ROMs with or
 * without the ROM's extension.
 */
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
  // Normalise again, because parts of a Hangul syllable may now be adjacent.
  return kept.normalize('NFC');
}

function isNoName(name: string): boolean {
  return /^(?: *|\.*)$/.test(name);
}

/** An extension contains a letter, so that "Game v1.0" has none. */
function withoutEnding(name: string): string {
  return name.replace(/(?:\.tar)?\.(?=\p{Nd}*\p{L})[\p{L}\p{Nd}]{1,8}$/iu, '');
}
