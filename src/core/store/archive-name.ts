import { invalidFilename } from '../shared/errors.ts';

/**
 * The stored name for a supplied one: everything but letters, digits, `.`, `_`, `(`, `)`, `-` and space is removed
 * (account-api.md, endpoint 18); letters and digits are Unicode's, in NFC (decisions.md). Throws `invalid filename`
 * when what is left is empty, only spaces, only dots, or over 255 bytes.
 */
export function cleanArchiveName(supplied: string): string {
  const kept = supplied.normalize('NFC').replace(/[^\p{L}\p{Nd}._() -]/gu, '');
  // Again, because parts of a Hangul syllable may have come together.
  const name = kept.normalize('NFC');
  if (/^(?: *|\.*)$/.test(name) || Buffer.byteLength(name) > 255) throw invalidFilename();
  return name;
}
