/**
 * Whether a file starts like a zip: with a local file header, or with the end record of an empty
 * zip (APPNOTE.TXT 4.3.7, 4.3.16).
 */
export function isZip(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString('latin1');
  return magic === 'PK\x03\x04' || magic === 'PK\x05\x06';
}

/**
 * Whether a file in a folder or zip should be read as a DAT. True if the file's start or its name
 * is that of a DAT.
 */
export function looksLikeDat(name: string, head: Buffer): boolean {
  if (/\.(dat|xml)$/i.test(name)) return true;
  // ASCII text in UTF-16 has a NUL byte next to each character. Without the NUL bytes, it looks
  // like the same text in UTF-8.
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[^\w<]*/, '');
  return /^(<\?xml|<!DOCTYPE|<datafile|<softwarelist|<mame|clrmamepro\s*\()/i.test(text);
}
