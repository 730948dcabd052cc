import type { MemberName } from './ports.ts';
import { matchSheetNames } from './sheet-names.ts';

/** The start of a line that names a file: in a cue sheet, and in a GDI sheet. */
const namingStarts = [
  // A UTF-8 byte order mark may come first. `\s` would also match the byte of a no-break space,
  // which may be part of another character.
  /^(?:\xef\xbb\xbf)?[ \t]*FILE[ \t]+/i,
  /^[ \t]*\d{1,2}[ \t]+\d{1,7}[ \t]+[04][ \t]+\d{4}[ \t]+/,
];

/**
 * Returns a cue or GDI sheet with other names of files, in the order of the sheet. All other bytes
 * are unchanged. Returns null if the sheet does not name this number of files.
 */
export function rewriteSheet(sheet: Uint8Array, names: readonly string[]): Uint8Array | null {
  let index = 0;
  const written = withNames(sheet, () => {
    // A sheet cannot state a quote in a name, and `trackNameOf` makes none.
    const name = names[index] ?? '';
    index += 1;
    return name;
  });
  return index === names.length ? written : null;
}

/**
 * Returns a cue or GDI sheet of an archive with the names of its files in the tree. If there is
 * only one file, and the sheet names only one, the names are not compared. Otherwise, returns the
 * first name in the sheet that is not one of `names`, if any. Returns null if the sheet names no
 * file.
 */
export function renameInSheet(
  sheet: Uint8Array,
  names: readonly MemberName[],
): { readonly bytes: Uint8Array } | { readonly unknown: string } | null {
  const found: string[] = [];
  withNames(sheet, (name) => {
    found.push(name);
    return name;
  });
  const [only, ...others] = names;
  const isSingle = only !== undefined && others.length === 0 && new Set(found).size === 1;
  const matched = isSingle ? { files: found.map(() => only) } : matchSheetNames(found, names);
  if ('unknown' in matched) return matched;
  const bytes = rewriteSheet(
    sheet,
    matched.files.map(({ to }) => to),
  );
  return bytes && { bytes };
}

/** Returns a sheet with other names of files. Returns null if the sheet names no file. */
function withNames(sheet: Uint8Array, rename: (name: string) => string): Buffer | null {
  // Latin-1 keeps each byte as one character, whichever encoding the sheet has.
  const lines = Buffer.from(sheet)
    .toString('latin1')
    .split(/(\r\n|\r|\n)/);
  const start = namingStarts.find((each) => lines.some((line) => each.test(line)));
  if (start === undefined) return null;
  const written = lines.map((line) => {
    const before = start.exec(line)?.[0];
    if (before === undefined) return line;
    const { isQuoted, name: own, after } = splitName(line.slice(before.length));
    const name = rename(own);
    const text = isQuoted || /[ \t]/.test(name) ? `"${name}"` : name;
    return before + Buffer.from(text).toString('latin1') + after;
  });
  return Buffer.from(written.join(''), 'latin1');
}

/** Returns the name at the start of a text, and the text after it. */
function splitName(text: string): { isQuoted: boolean; name: string; after: string } {
  const quote = text.startsWith('"') ? text.indexOf('"', 1) : -1;
  if (quote > 0) {
    return { isQuoted: true, name: text.slice(1, quote), after: text.slice(quote + 1) };
  }
  const end = text.search(/[ \t]/);
  if (end < 0) return { isQuoted: false, name: text, after: '' };
  return { isQuoted: false, name: text.slice(0, end), after: text.slice(end) };
}
