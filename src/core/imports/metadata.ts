import { type PlainField, plainFields } from '../shared/release-fields.ts';
import { normaliseSerials } from '../shared/serial.ts';
import type { DatRow } from './dat.ts';

/** The ways in which a metadata row identifies a release of its platform, strongest first. */
export type MetadataKey = 'crc' | 'serial' | 'name';

/** One field value that a metadata row states for the releases with its key. */
export interface MetadataFact {
  readonly kind: MetadataKey;
  /** A crc32 in lower-case hexadecimal, a normalised serial, or a name as written. */
  readonly key: string;
  readonly field: FactField;
  readonly value: string;
}

/**
 * The plain fields of the metadata record, the parts of a date, and the serial of a release that
 * states none.
 */
export type FactField = PlainField | 'year' | 'month' | 'day' | 'serial';

/** Returns the metadata of a row; empty when it identifies no release or states nothing. */
export function factsOf(row: DatRow): MetadataFact[] {
  return keysOf(row).flatMap(({ kind, key }) =>
    valuesOf(row, kind).map(([field, value]) => ({ kind, key, field, value })),
  );
}

/**
 * Returns the crc of each ROM. Without any, returns the serials and the name (which libretro's
 * files give as a comment).
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
    ['year', whole(fields.releaseyear, 1900, 2999, 4)],
    ['month', whole(fields.releasemonth, 1, 12, 2)],
    ['day', whole(fields.releaseday, 1, 31, 2)],
    // A serial is new information only when another key identifies the release.
    ['serial', kind === 'serial' ? undefined : serialOf(row)],
  ];
  return values.filter((pair): pair is [FactField, string] => Boolean(pair[1]));
}

/** Returns the row's own serial, else those of its ROMs. */
function serialOf({ serial, roms }: DatRow): string {
  return serial || [...new Set(roms.map((rom) => rom.serial))].filter(Boolean).join(', ');
}

function whole(
  text: string | undefined,
  least: number,
  most: number,
  digits: number,
): string | undefined {
  if (text === undefined || !/^\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? String(value).padStart(digits, '0') : undefined;
}
