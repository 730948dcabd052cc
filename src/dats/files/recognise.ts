/**
 * Returns true if a file starts like a zip. A zip starts with a local file header. An empty zip
 * starts with its end record (APPNOTE.TXT 4.3.7, 4.3.16).
 */
export function isZip(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString('latin1');
  return magic === 'PK\x03\x04' || magic === 'PK\x05\x06';
}

/**
 * Returns true if a file in a folder or zip should be read as a DAT. The name must have the
 * extension of a DAT, or the content must start like a DAT.
 */
export function looksLikeDat(name: string, head: Buffer): boolean {
  if (/\.(dat|xml)$/i.test(name)) return true;
  // ASCII text in UTF-16 has a NUL byte next to each character. Without the NUL bytes, the text
  // matches the same pattern as UTF-8 text.
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[^\w<]*/, '');
  return /^(<\?xml|<!DOCTYPE|<datafile|<softwarelist|<mame|clrmamepro\s*\()/i.test(text);
}
