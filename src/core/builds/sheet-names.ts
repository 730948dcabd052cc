import { memberKey } from '../shared/names/member-key.ts';
import type { MemberName } from './ports.ts';

/**
 * Returns the files of an archive that a sheet names, in the order of the sheet. `found` contains
 * the names in the sheet, with one character per byte, because a sheet does not state its encoding.
 * The names of the archive are Unicode. If a name in the sheet is not one of `names`, returns the
 * first such name as text.
 */
export function matchSheetNames(
  found: readonly string[],
  names: readonly MemberName[],
): { readonly files: readonly MemberName[] } | { readonly unknown: string } {
  const byKey = new Map<string, MemberName>();
  const ambiguous = new Set<string>();
  for (const name of names) {
    const key = memberKey(name.from);
    if (byKey.has(key)) ambiguous.add(key);
    byKey.set(key, name);
  }
  const fileOf = (name: string | null) => {
    const key = name === null ? '' : memberKey(name);
    return ambiguous.has(key) ? undefined : byKey.get(key);
  };
  const readings = decoders.map((decode) => found.map((name) => fileOf(decode(name))));
  for (const files of readings) {
    if (files.every((file) => file !== undefined)) return { files };
  }
  const ordered = inOrder(found, names);
  const isContradicted = readings.some((files) =>
    files.some((file, index) => file !== undefined && file !== ordered?.[index]),
  );
  if (ordered !== null && !isContradicted) return { files: ordered };
  const unknown = found.findIndex((_, index) => readings.every((files) => !files[index]));
  return { unknown: shownName(found[Math.max(unknown, 0)] ?? '') };
}

/**
 * Returns the files in the order of their track numbers. Returns null if the sheet does not have a
 * different name for each file, or if the names have no track numbers.
 */
function inOrder(found: readonly string[], names: readonly MemberName[]): MemberName[] | null {
  if (found.length !== names.length || new Set(found).size < names.length) return null;
  // Try the names of the DAT first. A file that no DAT lists has its own name there, so the names
  // in the archive may be the only ones with comparable numbers.
  for (const side of ['to', 'from'] as const) {
    const numbers = trackNumbers(names.map((name) => name[side]));
    if (numbers === null) continue;
    const ranked = names.map((name, index) => ({ name, number: numbers[index] ?? 0 }));
    return ranked.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
  }
  return null;
}

/**
 * Returns the numbers in which the names first differ. Returns null if they first differ in
 * anything else, or if some numbers are equal.
 */
function trackNumbers(names: readonly string[]): number[] | null {
  const [first = ''] = names;
  let start = 0;
  while (start < first.length && names.every((name) => name[start] === first[start])) start += 1;
  while (/\d/.test(first[start - 1] ?? '')) start -= 1;
  const numbers = names.map((name) =>
    Number(/^\d{1,4}/.exec(name.slice(start))?.[0] ?? Number.NaN),
  );
  if (numbers.some(Number.isNaN) || new Set(numbers).size < names.length) return null;
  return numbers;
}

/** Decodes bytes. Returns null if they are not valid in the encoding. */
type Decode = (bytes: string) => string | null;

/** The encodings of sheets and of the programs that make archives, the strictest first. */
const decoders: readonly Decode[] = [
  decoderOf('utf-8'),
  decoderOf('shift_jis'),
  decoderOf('euc-kr'),
  decoderOf('gbk'),
  decoderOf('big5'),
  decodeDos,
  decoderOf('windows-1252'),
  (bytes) => bytes,
];

function decoderOf(label: string): Decode {
  return (bytes) => {
    try {
      return new TextDecoder(label, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
    } catch {
      return null;
    }
  };
}

/** The characters of code page 437 from 0x80 on, which zips use. */
const dosLetters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function decodeDos(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, (byte) => dosLetters[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** Returns a name for messages. If it is not UTF-8, each byte from 0x80 on is shown as `\xNN`. */
function shownName(name: string): string {
  const text = decoders[0]?.(name);
  return text ?? name.replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}
