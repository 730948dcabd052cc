/**
 * Returns the `Content-Disposition` value that makes a browser save a file as `name` (RFC 6266).
 * The value also contains `filename*` (RFC 8187) if the name is not plain ASCII, or if some clients
 * misread the quoted name.
 */
export function attachmentHeader(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&');
  const plain = `attachment; filename="${ascii}"`;
  return /^[\x20-\x7e]*$/.test(name) && !/["\\%]/.test(name)
    ? plain
    : `${plain}; filename*=UTF-8''${percentEncode(name)}`;
}

/** Percent-encodes every character that is not an attr-char of RFC 8187. */
function percentEncode(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
