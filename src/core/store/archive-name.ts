import { invalidFilename } from '../shared/errors.ts';

/**
 * Returns the name under which an archive is stored. Only the letters, digits, spaces and `.`, `_`,
 * `(`, `)`, `-` of the supplied name remain (account-api.md, endpoint 18). Letters and digits are
 * those of Unicode, in NFC. Combining marks after a letter remain too (decisions.md). Throws
 * `invalid filename` when the result is empty, consists only of spaces or only of dots, or has over
 * 255 bytes.
 */
export function cleanArchiveName(supplied: string): string {
  const name = cleaned(supplied);
  if (isNoName(name) || Buffer.byteLength(name) > 255) throw invalidFilename();
  return name;
}

/**
 * Returns the text by which names of archives are compared: the cleaned name without its extension.
 */
export function archiveStem(name: string): string {
  return cleaned(withoutEnding(name));
}

/** The names of a release and of its ROMs. */
export interface ReleaseNames {
  /** The name of the release, and the names that its sources use. */
  readonly titles: readonly string[];
  readonly roms: readonly string[];
}

/**
 * Returns the stems of archives whose name fits a release. Such an archive is named like the
 * release or like one of its ROMs. The extension of the ROM may be part of the archive's name.
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
  // Normalise again, because removing characters may have joined the parts of a Hangul syllable.
  return kept.normalize('NFC');
}

function isNoName(name: string): boolean {
  return /^(?: *|\.*)$/.test(name);
}

/** An extension must contain a letter. "Game v1.0" therefore has no extension. */
function withoutEnding(name: string): string {
  return name.replace(/(?:\.tar)?\.(?=\p{Nd}*\p{L})[\p{L}\p{Nd}]{1,8}$/iu, '');
}
