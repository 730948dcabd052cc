import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type DatHeader,
  DatRefused,
  type DatRom,
  type DatRow,
} from '../../src/core/imports/dat.ts';
import { readDat } from '../../src/dats/read-dat.ts';

/**
 * Returns the folder of the real DAT files, or null if it does not exist. The files are not in the
 * repository.
 */
export function findRealDats(): string | null {
  const folder = path.join(import.meta.dirname, '../../../shared/data/dats');
  return existsSync(folder) ? folder : null;
}

export interface ReadRows {
  format: string;
  sha256: string;
  size: number;
  headers: DatHeader[];
  rows: DatRow[];
}

type Source = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Reads a whole DAT, passed in one piece or in several. A string is encoded as UTF-8. */
export async function readRows(source: Source): Promise<ReadRows> {
  const headers: DatHeader[] = [];
  const rows: DatRow[] = [];
  const read = await readDat(bytesOf(source), {
    header: (header) => headers.push(header),
    row: (row) => rows.push(row),
  });
  return { ...read, headers, rows };
}

/**
 * Reads a DAT that must be refused. Returns the refusal as `LINE: reason`. Any other result fails
 * the test.
 */
export async function refusalOf(source: Source): Promise<string> {
  try {
    await readDat(bytesOf(source), { header() {}, row() {} });
  } catch (error) {
    if (error instanceof DatRefused) return `${error.line}: ${error.reason}`;
    throw error;
  }
  throw new Error('the file was not refused');
}

function bytesOf(source: Source): AsyncIterable<Uint8Array> {
  if (typeof source === 'string') return chunks([Buffer.from(source)]);
  if (source instanceof Uint8Array) return chunks([source]);
  return Symbol.asyncIterator in source ? source : chunks(source);
}

export async function* chunks(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Splits the bytes into pieces. The lengths of the pieces are used in order and then repeat. */
export function* cut(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Returns a row without its line number, which depends on the format of the DAT. */
export function withoutLine({ line: _, fields, ...row }: DatRow) {
  return { ...row, fields: { ...fields } };
}

export function toClrmamepro(header: DatHeader, rows: readonly DatRow[]): string {
  return [
    `clrmamepro (\n${pairs(header).map(line).join('')})\n`,
    ...rows.map((row) => `game (\n${rowPairs(row).map(line).join('')}${blocks(row)})\n`),
  ].join('\n');

  function line([key, value]: [string, string]): string {
    return `\t${key} ${quote(value)}\n`;
  }
  function blocks(row: DatRow): string {
    const releases = row.releaseRegions.map(
      (region) => `\trelease ( name ${quote(row.name)} region ${quote(region)} )\n`,
    );
    const roms = row.roms.map((rom) => {
      const values = romPairs(rom).map(([key, value]) => `${key} ${quote(value)}`);
      return `\trom ( ${values.join(' ')} )\n`;
    });
    return [...releases, ...roms].join('');
  }
}

export function toLogiqx(header: DatHeader, rows: readonly DatRow[]): string {
  return [
    '<?xml version="1.0"?>\n<!DOCTYPE datafile PUBLIC "-//Logiqx//DTD ROM Management Datafile//EN" "http://www.logiqx.com/Dats/datafile.dtd">\n',
    `<datafile>\n\t<header>\n${pairs(header).map(element).join('')}\t</header>\n`,
    ...rows.map(
      ({ cloneOf = '', ...row }) =>
        `\t<game name="${toReferences(row.name)}"${parent(cloneOf)}>\n${rowPairs({
          ...row,
          name: '',
        })
          .map(element)
          .join('')}${blocks(row)}\t</game>\n`,
    ),
    '</datafile>\n',
  ].join('');

  function parent(name: string): string {
    return name === '' ? '' : ` cloneof="${toReferences(name)}"`;
  }
  function element([key, value]: [string, string]): string {
    return `\t\t<${key}>${toReferences(value)}</${key}>\n`;
  }
  function blocks(row: DatRow): string {
    const releases = row.releaseRegions.map(
      (region) =>
        `\t\t<release name="${toReferences(row.name)}" region="${toReferences(region)}"/>\n`,
    );
    const roms = row.roms.map((rom) => {
      const values = romPairs(rom).map(([key, value]) => `${key}="${toReferences(value)}"`);
      return `\t\t<rom ${values.join(' ')}/>\n`;
    });
    return [...releases, ...roms].join('');
  }
}

function pairs(object: object): [string, string][] {
  return Object.entries(object).filter(([, value]) => value !== '');
}

function rowPairs(row: DatRow): [string, string][] {
  const { name, description, region, serial, cloneOf: cloneof = '', fields } = row;
  return pairs({ name, description, region, serial, cloneof, ...fields });
}

function romPairs({ crc32, size, ...rom }: DatRom): [string, string][] {
  return pairs({ ...rom, crc: crc32.toUpperCase(), size: size === null ? '' : String(size) });
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function toReferences(value: string): string {
  return value.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
