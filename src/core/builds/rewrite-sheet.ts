/** The start of a line that names a file: in a cue sheet, and in a GDI sheet. */
const namingStarts = [
  // A mark of UTF-8 may come first. Other letters may have the byte of a no-break space.
  /^(?:\xef\xbb\xbf)?[ \t]*FILE[ \t]+/i,
  /^[ \t]*\d{1,2}[ \t]+\d{1,7}[ \t]+[04][ \t]+\d{4}[ \t]+/,
];

/**
 * Returns a cue or GDI sheet with other names of files, in the order of the sheet. Everything else
 * stays byte by byte. Returns null if the sheet does not name this number of files.
 */
export function rewriteSheet(sheet: Uint8Array, names: readonly string[]): Uint8Array | null {
  // Latin-1 keeps each byte as one character, whichever encoding the sheet has.
  const lines = Buffer.from(sheet)
    .toString('latin1')
    .split(/(\r\n|\r|\n)/);
  const start = namingStarts.find((each) => lines.some((line) => each.test(line)));
  if (start === undefined) return null;
  let index = 0;
  const written = lines.map((line) => {
    const before = start.exec(line)?.[0];
    if (before === undefined) return line;
    // A sheet cannot state a quote in a name, and `trackNameOf` makes none.
    const name = names[index] ?? '';
    index += 1;
    const { isQuoted, after } = withoutName(line.slice(before.length));
    const text = isQuoted || /[ \t]/.test(name) ? `"${name}"` : name;
    return before + Buffer.from(text).toString('latin1') + after;
  });
  return index === names.length ? Buffer.from(written.join(''), 'latin1') : null;
}

/** Returns the text after a name at its start. */
function withoutName(text: string): { isQuoted: boolean; after: string } {
  const quote = text.startsWith('"') ? text.indexOf('"', 1) : -1;
  if (quote > 0) return { isQuoted: true, after: text.slice(quote + 1) };
  const end = text.search(/[ \t]/);
  return { isQuoted: false, after: end < 0 ? '' : text.slice(end) };
}
