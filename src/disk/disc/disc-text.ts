const MAX_CHARACTERS = 256;

const decoders = {
  ascii: new TextDecoder('windows-1252'),
  'shift-jis': new TextDecoder('shift_jis'),
  utf8: new TextDecoder('utf-8'),
  utf16: new TextDecoder('utf-16le'),
};

/**
 * Decodes a text field of a disc to one line of at most `MAX_CHARACTERS` characters. Except in
 * UTF-16, the text ends at the first NUL byte. Each run of white space and control characters
 * becomes one space, and is removed at the start and at the end.
 */
export function discText(bytes: Buffer, encoding: keyof typeof decoders = 'ascii'): string {
  const end = encoding === 'utf16' ? -1 : bytes.indexOf(0);
  const text = decoders[encoding].decode(
    bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, 4 * MAX_CHARACTERS)),
  );
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}

/**
 * Normalises a Sony serial. Returns `SLUS-20718` for `SLUS_207.18`, `SLUS20718` and `slus-20718`.
 * Returns null if the text is not a serial. Serials may also have three letters and six digits
 * (`LSP-040510`).
 */
export function sonySerial(text: string): string | null {
  const match = /^([A-Z]{3,4})[-_ ]?(\d{3})\.?(\d{2,3})$/.exec(text.trim().toUpperCase());
  return match && `${match[1]}-${match[2]}${match[3]}`;
}
