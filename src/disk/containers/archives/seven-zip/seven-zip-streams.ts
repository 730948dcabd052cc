import { refused } from '../../../../core/shared/errors.ts';
import type { ByteReader } from '../byte-reader.ts';
import { type Folder, foldersIn } from './seven-zip-folders.ts';
import {
  CRC32_LIST_ID,
  countIn,
  END,
  MAX_COUNT,
  readCrc32s,
  unknownPart,
} from './seven-zip-lists.ts';

export interface Streams {
  readonly folders: readonly Folder[];
  /**
   * Positions of the packed streams. `start` is an offset from the end of the first header. `start`
   * and `size` are in bytes.
   */
  readonly packed: readonly { readonly start: number; readonly size: number }[];
  /**
   * The files with content, in order. `start` is an offset from the end of the first header, or
   * null if the file is compressed.
   */
  readonly parts: readonly {
    readonly size: number;
    readonly crc32: number | null;
    readonly start: number | null;
  }[];
}

const PACKED = 0x06;
const FOLDERS = 0x07;
const PARTS = 0x08;
const SIZES = 0x09;
const PARTS_PER_FOLDER = 0x0d;

/**
 * Reads the description of the streams. `fields` must be positioned after the description's id.
 * Throws a `CatalogError` of kind `refused` if the description is damaged.
 */
export function streamsIn(fields: ByteReader): Streams {
  let packed: Streams['packed'] = [];
  let folders: Folder[] = [];
  let parts: Streams['parts'] | null = null;
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    if (id === PACKED) packed = packedIn(fields);
    else if (id === FOLDERS) folders = foldersIn(fields);
    else if (id === PARTS) parts = partsIn(fields, folders, packed);
    else throw refused(unknownPart);
  }
  return { folders, packed, parts: parts ?? whole(folders, packed) };
}

function packedIn(fields: ByteReader): { start: number; size: number }[] {
  let start = fields.number8();
  const count = countIn(fields);
  const packed: { start: number; size: number }[] = [];
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    if (id === CRC32_LIST_ID) readCrc32s(fields, count);
    else if (id !== SIZES) throw refused(unknownPart);
    for (let i = 0; id === SIZES && i < count; i += 1) {
      const size = fields.number8();
      packed.push({ start, size });
      start += size;
    }
  }
  return packed;
}

function partsIn(
  fields: ByteReader,
  folders: readonly Folder[],
  packed: Streams['packed'],
): Streams['parts'] {
  let id = fields.number8();
  const counts = folders.map(() => 1);
  if (id === PARTS_PER_FOLDER) {
    for (const i of folders.keys()) counts[i] = countIn(fields);
    id = fields.number8();
  }
  const starts = startsOf(folders, packed);
  const parts: { size: number; crc32: number | null; start: number | null }[] = [];
  const hasSizes = id === SIZES;
  for (const [i, folder] of folders.entries()) {
    let left = folder.size;
    let start = starts[i] ?? null;
    const count = counts[i] ?? 0;
    for (let k = 0; k < count; k += 1) {
      const size = k === count - 1 ? left : hasSizes ? fields.number8() : -1;
      if (size < 0 || size > left) throw refused('it is damaged: its files are longer than it');
      parts.push({ size, crc32: count === 1 ? folder.crc32 : null, start });
      left -= size;
      if (start !== null) start += size;
    }
    if (parts.length > MAX_COUNT) throw refused('it holds too many files');
  }
  if (hasSizes) id = fields.number8();
  const open = parts.filter((part) => part.crc32 === null);
  for (; id !== END; id = fields.number8()) {
    if (id !== CRC32_LIST_ID) throw refused(unknownPart);
    const sums = readCrc32s(fields, open.length);
    for (const [k, part] of open.entries()) part.crc32 = sums[k] ?? null;
  }
  return parts;
}

function whole(folders: readonly Folder[], packed: Streams['packed']): Streams['parts'] {
  const starts = startsOf(folders, packed);
  return folders.map(({ size, crc32 }, i) => ({ size, crc32, start: starts[i] ?? null }));
}

/**
 * Returns the offset of each folder's content, or null for a compressed folder. Offsets are counted
 * as in `Streams`.
 */
function startsOf(folders: readonly Folder[], packed: Streams['packed']): (number | null)[] {
  let stream = 0;
  return folders.map(({ coders, inputs, size }) => {
    const place = packed[stream];
    stream += inputs;
    const isPlain = coders.length === 1 && coders[0]?.method === '00' && place?.size === size;
    return isPlain && place ? place.start : null;
  });
}
