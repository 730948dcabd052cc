/**
 * PostgreSQL stores no U+0000 in a text. It goes there as this character, which no Unicode text needs (a noncharacter),
 * and a `0`; the character itself goes twice.
 */
const mark = '\uFFFF';

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
  return text.replaceAll(mark, mark + mark).replaceAll('\0', `${mark}0`);
}

const toText = (text: string) => fromStored(text, '\0');
/** Inside of JSON the character is escaped. */
const toJsonText = (text: string) => fromStored(text, '\\u0000');

function fromStored(text: string, nul: string): string {
  if (!text.includes(mark)) return text;
  return text.replace(/\uFFFF([0\uFFFF])/g, (_, kind) => (kind === '0' ? nul : mark));
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
