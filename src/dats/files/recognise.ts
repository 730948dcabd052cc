/**
 * Whether a file begins like a zip (APPNOTE.TXT 4.3.7: a local file header, or the end record of an
 * empty zip).
 */
export function isZip(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString('latin1');
  return magic === 'PK\x03\x04' || magic === 'PK\x05\x06';
}

/**
 * Whether a file in a folder or zip should be read as a DAT: it begins like one, or its name says
 * so.
 */
export function looksLikeDat(name: string, head: Buffer): boolean {
  if (/\.(dat|xml)$/i.test(name)) return true;
  // UTF-16 appears as text with NULs in between; with them removed, both encodings look alike.
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[^\w<]*/, '');
  return /^(<\?xml|<!DOCTYPE|<datafile|<softwarelist|<mame|clrmamepro\s*\()/i.test(text);
}
