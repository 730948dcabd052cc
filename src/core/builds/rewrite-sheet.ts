/** A line of a cue sheet that names a file, or of a GDI sheet that describes a track. */
const namingLines = [
  /^(\s*FILE\s+)(?:"([^"]*)"|(\S+))(.*)$/i,
  /^(\s*\d{1,2}\s+\d{1,7}\s+[04]\s+\d{4}\s+)(?:"([^"]+)"|(\S+))(\s+\d{1,10}\s*)$/,
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
  const form = namingLines.find((each) => lines.some((line) => each.test(line)));
  if (form === undefined) return null;
  let index = 0;
  const written = lines.map((line) => {
    const match = form.exec(line);
    if (match === null) return line;
    const name = names[index] ?? '';
    index += 1;
    const isQuoted = match[2] !== undefined || /\s/.test(name);
    const text = Buffer.from(isQuoted ? `"${name}"` : name).toString('latin1');
    return `${match[1] ?? ''}${text}${match[4] ?? ''}`;
  });
  return index === names.length ? Buffer.from(written.join(''), 'latin1') : null;
}
