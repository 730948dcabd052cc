/**
 * Returns the name under which the server stores a file with the name `supplied`
 * (docs/api/account-api.md, endpoint 18).
 */
export function cleanName(supplied: string): string {
  const kept = supplied
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}._() -]|(?<![\p{L}\p{M}])\p{M}+/gu, '');
  return kept.normalize('NFC');
}
