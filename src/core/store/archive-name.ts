import { invalidFilename } from '../shared/errors.ts';

/**
 * Returns the name under which an archive is stored (account-api.md, endpoint 18). Only the
 * letters, digits, spaces and `.`, `_`, `(`, `)`, `-` of the supplied name remain. Letters and
 * digits are those of Unicode, in NFC. Combining marks after a letter remain too
 * (docs/api/decisions.md). Throws `invalid filename` when the result is empty, consists only of
 * spaces or only of dots, or has over 255 bytes.
 */
export function cleanArchiveName(supplied: string): string {
  const name = cleaned(supplied);
  if (isNoName(name) || Buffer.byteLength(name) > 255) throw invalidFilename();
  return name;
}

/**
 * Returns the text by which names of archives are compared: the name without its extension,
 * cleaned.
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
 * Returns the stems of archives whose name fits a release: the names of the release and of its
 * ROMs. The extension of a ROM may be part of the archive's stem.
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

/** An extension must contain a letter, so "Game v1.0" has no extension. */
function withoutEnding(name: string): string {
  return name.replace(/(?:\.tar)?\.(?=\p{Nd}*\p{L})[\p{L}\p{Nd}]{1,8}$/iu, '');
}
