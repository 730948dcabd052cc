/**
 * Returns the header that makes a browser save a file as `name` (RFC 6266). A name that is not
 * plain ASCII, or that some clients misread in quotes, is also given as `filename*` (RFC 8187).
 */
export function attachmentHeader(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]/g, '\\$&');
  const plain = `attachment; filename="${ascii}"`;
  return /^[\x20-\x7e]*$/.test(name) && !/["\\%]/.test(name)
    ? plain
    : `${plain}; filename*=UTF-8''${percentEncode(name)}`;
}

/** Encodes every character except RFC 8187's attr-char. */
function percentEncode(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
