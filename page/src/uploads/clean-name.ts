/** What the server calls a file of this name (docs/api/account-api.md, endpoint 18). */
export function cleanName(supplied: string): string {
  const kept = supplied.normalize('NFC').replace(/[^\p{L}\p{Nd}._() -]/gu, '');
  return kept.normalize('NFC');
}
