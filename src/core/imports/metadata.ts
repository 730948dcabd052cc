import { type PlainField, plainFields } from '../shared/release-fields.ts';
import { normaliseSerials } from '../shared/serial.ts';
import type { DatRow } from './dat.ts';

/**
 * The kinds of key by which a metadata row identifies releases of its platform, strongest first.
 */
export type MetadataKey = 'crc' | 'serial' | 'name';

/** One field value from a metadata row. The value applies to all releases with this key. */
export interface MetadataFact {
  readonly kind: MetadataKey;
  /** A CRC-32 in lower-case hexadecimal, a normalised serial, or a name as written in the file. */
  readonly key: string;
  readonly field: FactField;
  readonly value: string;
}

/**
 * The fields that a metadata row can supply: plain metadata fields, the parts of a date, and a
 * serial. The serial is used only for releases that have none.
 */
export type FactField = PlainField | 'year' | 'month' | 'day' | 'serial';

/**
 * Returns the field values of a metadata row. Returns an empty array when the row identifies no
 * release or has no values.
 */
export function factsOf(row: DatRow): MetadataFact[] {
  return keysOf(row).flatMap(({ kind, key }) =>
    valuesOf(row, kind).map(([field, value]) => ({ kind, key, field, value })),
  );
}

/**
 * Returns the keys of a row. If any ROM has a CRC-32, the keys are the CRC-32s of the ROMs.
 * Otherwise the keys are the serials and the name. Libretro's files contain the name as a comment.
 */
function keysOf(row: DatRow): { kind: MetadataKey; key: string }[] {
  const crcs = row.roms.flatMap((rom) => (rom.crc32 === '' ? [] : [rom.crc32]));
  if (crcs.length > 0) return [...new Set(crcs)].map((key) => ({ kind: 'crc', key }));
  const serials = [row.serial, ...row.roms.map((rom) => rom.serial)].flatMap(normaliseSerials);
  const name = row.name || (row.fields.comment ?? '');
  return [
    ...[...new Set(serials)].map((key) => ({ kind: 'serial' as const, key })),
    ...(name === '' ? [] : [{ kind: 'name' as const, key: name }]),
  ];
}

function valuesOf(row: DatRow, kind: MetadataKey): [FactField, string][] {
  const { fields } = row;
  const values: [FactField, string | undefined][] = [
    ...plainFields.map((field): [FactField, string | undefined] => [field, fields[field]]),
    ['year', numberInRange(fields.releaseyear, 1900, 2999, 4)],
    ['month', numberInRange(fields.releasemonth, 1, 12, 2)],
    ['day', numberInRange(fields.releaseday, 1, 31, 2)],
    // The serial is new information only if the row identifies its release by another key.
    ['serial', kind === 'serial' ? undefined : serialOf(row)],
  ];
  return values.filter((pair): pair is [FactField, string] => Boolean(pair[1]));
}

/**
 * Returns the serial of the row itself. If the row has none, returns the serials of its ROMs,
 * separated by ", ".
 */
function serialOf({ serial, roms }: DatRow): string {
  return serial || [...new Set(roms.map((rom) => rom.serial))].filter(Boolean).join(', ');
}

function numberInRange(
  text: string | undefined,
  min: number,
  max: number,
  digits: number,
): string | undefined {
  if (text === undefined || !/^\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? String(value).padStart(digits, '0') : undefined;
}
