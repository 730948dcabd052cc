/**
 * The escape character U+0001. PostgreSQL cannot store U+0000 in a text, so U+0000 is stored as
 * U+0001 followed by `0`. U+0001 itself is stored as U+0001 followed by `1`. The escaping preserves
 * the order of texts.
 */
const escapeMark = '\u0001';

const minInt8 = -(2n ** 63n);
const maxInt8 = 2n ** 63n - 1n;

/**
 * Returns a parameter in the text form that PostgreSQL reads. Byte arrays are returned as a Buffer.
 */
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

/**
 * Returns a number as text. An integer too large for any column is replaced by the nearest integer
 * that fits. No row contains either integer, so comparisons have the same result.
 */
function numberText(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return String(value);
  return String(withinInt8(BigInt(value)));
}

function withinInt8(value: bigint): bigint {
  if (value < minInt8) return minInt8;
  return value > maxInt8 ? maxInt8 : value;
}

/**
 * Returns an array in the text form that PostgreSQL reads (PostgreSQL 15, 8.15.2). The array may
 * contain all types of values that `toBound` accepts, except bytes.
 */
export function toArray(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (typeof value !== 'string') return toBound(value);
    return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  });
  return `{${items.join(',')}}`;
}

function toStored(text: string): string {
  if (!text.includes('\0') && !text.includes(escapeMark)) return text;
  return text.replaceAll(escapeMark, `${escapeMark}1`).replaceAll('\0', `${escapeMark}0`);
}

function toText(text: string): string {
  if (!text.includes(escapeMark)) return text;
  return text.replaceAll(`${escapeMark}0`, '\0').replaceAll(`${escapeMark}1`, escapeMark);
}

/**
 * Matches U+0000 or U+0001 in JSON that was made from a stored text. The JSON contains such a
 * character as `\u0001` followed by `0` or `1`. If the backslash is itself escaped, it does not
 * begin a match.
 */
export const escapedMark = String.raw`(?<!\\)((?:\\\\)*)\\u0001([01])`;

function toJsonText(text: string): string {
  if (!text.includes(String.raw`\u0001`)) return text;
  return text.replaceAll(new RegExp(escapedMark, 'g'), String.raw`$1\u000$2`);
}

/** Parses a number. Returns a bigint for an integer that a number cannot represent exactly. */
function toExact(text: string): number | bigint {
  const number = Number(text);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number;
  return BigInt(text);
}

const toBytes = (text: string) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex'));

/** Parsers for values, by the OID of their type (pg_type.dat of PostgreSQL). */
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

/**
 * Returns the parser for the text form of a type. Texts and values of unknown types are unchanged,
 * except that U+0000 is restored.
 */
export function parserOf(type: number): (text: string) => unknown {
  return parsers.get(type) ?? toText;
}
