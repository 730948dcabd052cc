import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo, sliceOf, statedSize } from '../../image-bytes.ts';
import { addMember, type MemberList, startOf, waitAtMany } from './members.ts';

const BLOCK = 512;
const MAGIC_AT = 257;
/** Maximum size, in bytes, of a long name or of pax fields before the header of a file. */
const MAX_EXTENSION_BYTES = 64 * 1024;

const FILES = ['0', '\0', '7'];
const LONG_NAME = 'L';
const FIELDS = 'x';
const LINE_FEED = 0x0a;

export interface TarFile {
  readonly name: string;
  readonly size: number;
  /** Offset of the file's content in the tar. */
  readonly start: number;
}

/** Returns true if `head` starts with the header of a tar. */
export function isTar(head: Buffer): boolean {
  return head.length >= BLOCK && head.toString('latin1', MAGIC_AT, MAGIC_AT + 5) === 'ustar';
}

/**
 * Adds the members of a tar to the list. The members have no CRC-32, because a tar states no
 * CRC-32. Throws a `CatalogError` of kind `refused` if the tar is truncated, damaged or empty.
 */
export async function listTar(file: ImageBytes, list: MemberList): Promise<void> {
  for await (const { name, size, start } of tarFiles(file)) {
    if (start + size > file.size) throw refused('it is cut: a file in it is not whole');
    addMember(list, { name, size, crc32: null, openStart: startOf(sliceOf(file, start, size)) });
    await waitAtMany(list);
  }
  if (list.members.length === 0) throw refused('it holds no file');
}

/**
 * Yields the files in a tar in order, without folders and links. Throws a `CatalogError` of kind
 * `refused` if a header is damaged.
 *
 * Source: POSIX.1-2017, "pax": ustar and pax interchange formats; GNU tar's manual, "Basic Tar
 * Format", for long names and binary sizes.
 */
export async function* tarFiles(image: ImageBytes): AsyncGenerator<TarFile> {
  let longName: string | null = null;
  let stated: number | null = null;
  for (let at = 0; at + BLOCK <= image.size; ) {
    const header = await readUpTo(image, at, BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (!isTar(header) || sumOf(header) !== octal(header, 148, 8)) {
      throw refused("it is damaged: a header's checksum differs");
    }
    const type = header.toString('latin1', 156, 157);
    const start = at + BLOCK;
    const isExtra = type === LONG_NAME || type === FIELDS;
    const size: number = isExtra ? sizeOf(header) : (stated ?? sizeOf(header));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (isExtra) {
      if (size > MAX_EXTENSION_BYTES) throw refused('it is damaged: a name in it is too long');
      const extra = await image.read(start, size);
      if (type === LONG_NAME) longName = textAt(extra, 0, size);
      else {
        const fields = paxFields(extra);
        longName = fields.get('path') ?? longName;
        stated = numberOf(fields.get('size'));
      }
      continue;
    }
    if (FILES.includes(type)) yield { name: longName ?? nameOf(header), size, start };
    longName = null;
    stated = null;
  }
}

function nameOf(header: Buffer): string {
  const prefix = textAt(header, 345, 155);
  const name = textAt(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
}

/**
 * Returns the size of a file in bytes. If the top bit of the field is set, the size is stored as a
 * binary number. Otherwise the size is stored as octal digits.
 */
function sizeOf(header: Buffer): number {
  if (((header[124] ?? 0) & 0x80) === 0) return octal(header, 124, 12);
  return statedSize(header.readBigUInt64BE(128));
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textAt(header, at, length).trim();
  if (!/^[0-7]*$/.test(text)) throw refused('it is damaged: a number in a header is none');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/**
 * Returns the sum of all bytes of the header. The eight bytes of the stored checksum count as
 * spaces, as the format requires.
 */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (const [i, byte] of header.entries()) if (i < 148 || i >= 156) sum += byte;
  return sum;
}

/**
 * Returns the fields of a pax header by name. A field is a record such as `23 path=some/name` with
 * a line feed at the end. The number is the length of the record in bytes, because a value may
 * contain line feeds. If a name occurs several times, the last value counts. Fields after a damaged
 * record are left out.
 */
function paxFields(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const digits = /^\d{1,6}(?= )/.exec(bytes.toString('latin1', at, at + 7))?.[0];
    const end = at + Number(digits);
    if (digits === undefined || end > bytes.length || bytes[end - 1] !== LINE_FEED) break;
    const field = bytes.toString('utf8', at + digits.length + 1, end - 1);
    const equals = field.indexOf('=');
    if (equals < 1) break;
    fields.set(field.slice(0, equals), field.slice(equals + 1));
    at = end;
  }
  return fields;
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw refused('it is damaged: a size is none');
  return value;
}
