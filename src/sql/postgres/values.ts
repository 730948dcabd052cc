/**
 * PostgreSQL stores no U+0000 in a text. It goes there as the character after it and a `0`, and that character as itself
 * and a `1`: so texts keep their order.
 */
const mark = '\u0001';

const leastInt8 = -(2n ** 63n);
const mostInt8 = 2n ** 63n - 1n;

/** A parameter as PostgreSQL reads it as text; bytes stay bytes. */
export function toBound(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return toStored(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'bigint') return String(withinInt8(value));
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError(`a parameter cannot be a ${typeof value}`);
}

/** What no column can hold is compared as the nearest number that one can hold: no row has either. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return String(value);
  return String(withinInt8(BigInt(value)));
}

function withinInt8(value: bigint): bigint {
  if (value < leastInt8) return leastInt8;
  return value > mostInt8 ? mostInt8 : value;
}

/** An array as PostgreSQL reads it (PostgreSQL 15, 8.15.2), of values as `toBound` takes them, but bytes. */
export function toArray(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (typeof value !== 'string') return toBound(value);
    return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  });
  return `{${items.join(',')}}`;
}

function toStored(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text;
  return text.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`);
}

function toText(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark);
}

/** Where JSON is written of a stored text: there the character is escaped, unless its backslash is. */
export const escapedMark = String.raw`(?<!\\)((?:\\\\)*)\\u0001([01])`;

function toJsonText(text: string): string {
  if (!text.includes(String.raw`\u0001`)) return text;
  return text.replaceAll(new RegExp(escapedMark, 'g'), String.raw`$1\u000$2`);
}

/** A number where it is exact as one, else a bigint. */
function toExact(text: string): number | bigint {
  const number = Number(text);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number;
  return BigInt(text);
}

const toBytes = (text: string) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));

/** By the number of the type (pg_type.dat of PostgreSQL). */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'], // bool
  [17, toBytes], // bytea
  [20, toExact], // int8
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [114, toJsonText], // json
  [700, Number], // float4
  [701, Number], // float8
  [1700, toExact], // numeric
  [3802, toJsonText], // jsonb
]);

/** How values of a type are read from their text; texts, and what is not known, as they are. */
export function parserOf(type: number): (text: string) => unknown {
  return parsers.get(type) ?? toText;
}
