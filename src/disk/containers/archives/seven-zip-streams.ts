import { refused } from '../../../core/shared/errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** One step of packing. */
export interface Coder {
  /** Its id in hexadecimal: `030101` is LZMA. */
  readonly method: string;
  readonly properties: Buffer;
  readonly inputs: number;
  readonly outputs: number;
}

/** What is packed as one stream: a file, or several one behind the other. */
export interface Folder {
  readonly coders: readonly Coder[];
  /** Unpacked, in bytes. */
  readonly size: number;
  readonly crc32: number | null;
  /** Of packed streams. */
  readonly inputs: number;
}

export interface Streams {
  readonly folders: readonly Folder[];
  /** Where the packed streams lie, counted from behind the first header. */
  readonly packed: readonly { readonly start: number; readonly size: number }[];
  /** The files with content, in their order; `start` where they are not compressed, as for `packed`. */
  readonly parts: readonly {
    readonly size: number;
    readonly crc32: number | null;
    readonly start: number | null;
  }[];
}

const END = 0x00;
const PACKED = 0x06;
const FOLDERS = 0x07;
const PARTS = 0x08;
const SIZES = 0x09;
const SUMS = 0x0a;
const FOLDER = 0x0b;
const FOLDER_SIZES = 0x0c;
const PARTS_PER_FOLDER = 0x0d;

const MOST_FOLDERS = 100_000;
const MOST_CODERS = 32;

/** The description of streams from behind its id on. Throws a refused `CatalogError` when it is damaged. */
export function streamsIn(fields: ByteReader): Streams {
  let packed: Streams['packed'] = [];
  let folders: Folder[] = [];
  let parts: Streams['parts'] | null = null;
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    if (id === PACKED) packed = packedIn(fields);
    else if (id === FOLDERS) folders = foldersIn(fields);
    else if (id === PARTS) parts = partsIn(fields, folders, packed);
    else throw refused('it is damaged: its header has a part that is not known');
  }
  return { folders, packed, parts: parts ?? whole(folders, packed) };
}

/** What a coder keeps of what it unpacked, in bytes; 0 where that is little. */
export function dictionaryOf({ method, properties }: Coder): number {
  if (method === '030101' && properties.length >= 5) return properties.readUInt32LE(1);
  if (method === '030401' && properties.length >= 5) return properties.readUInt32LE(1);
  const [bits = 0] = properties;
  if (method === '21') return bits >= 40 ? 2 ** 32 : (2 | (bits & 1)) * 2 ** ((bits >> 1) + 11);
  return 0;
}

function packedIn(fields: ByteReader): { start: number; size: number }[] {
  let start = fields.number8();
  const count = countIn(fields);
  const packed: { start: number; size: number }[] = [];
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    if (id === SUMS) sumsIn(fields, count);
    else if (id !== SIZES) throw refused('it is damaged: its header has a part that is not known');
    for (let i = 0; id === SIZES && i < count; i += 1) {
      const size = fields.number8();
      packed.push({ start, size });
      start += size;
    }
  }
  return packed;
}

function foldersIn(fields: ByteReader): Folder[] {
  expect(fields, FOLDER);
  const count = countIn(fields);
  if (fields.byte() !== 0) throw refused('its header lies elsewhere, which is not read');
  const folders: { coders: Coder[]; main: number; inputs: number }[] = [];
  for (let i = 0; i < count; i += 1) folders.push(folderIn(fields));
  expect(fields, FOLDER_SIZES);
  const sizes = folders.map(({ coders, main }) => {
    const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0);
    const all: number[] = [];
    for (let i = 0; i < outputs; i += 1) all.push(fields.number8());
    return all[main] ?? 0;
  });
  let sums: (number | null)[] = [];
  for (let id = fields.number8(); id !== END; id = fields.number8()) {
    if (id !== SUMS) throw refused('it is damaged: its header has a part that is not known');
    sums = sumsIn(fields, count);
  }
  return folders.map(({ coders, inputs }, i) => ({
    coders,
    inputs,
    size: sizes[i] ?? 0,
    crc32: sums[i] ?? null,
  }));
}

function folderIn(fields: ByteReader): { coders: Coder[]; main: number; inputs: number } {
  const count = fields.number8();
  if (count === 0 || count > MOST_CODERS) throw refused('it is damaged: it has too many coders');
  const coders: Coder[] = [];
  for (let i = 0; i < count; i += 1) {
    const flags = fields.byte();
    const method = fields.bytes(flags & 0x0f).toString('hex');
    const inputs = (flags & 0x10) === 0 ? 1 : fields.number8();
    const outputs = (flags & 0x10) === 0 ? 1 : fields.number8();
    if (inputs > MOST_CODERS || outputs > MOST_CODERS) {
      throw refused('it is damaged: it has too many streams');
    }
    const properties = fields.bytes((flags & 0x20) === 0 ? 0 : fields.number8());
    coders.push({ method, properties, inputs, outputs });
  }
  const inputs = coders.reduce((sum, coder) => sum + coder.inputs, 0);
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0);
  const bound = new Set<number>();
  for (let i = 1; i < outputs; i += 1) {
    fields.number8();
    bound.add(fields.number8());
  }
  const open = inputs - Math.max(0, outputs - 1);
  for (let i = 0; open > 1 && i < open; i += 1) fields.number8();
  let main = 0;
  while (bound.has(main)) main += 1;
  return { coders, main, inputs: Math.max(0, open) };
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
    if (parts.length > MOST_FOLDERS) throw refused('it holds too many files');
  }
  if (hasSizes) id = fields.number8();
  const open = parts.filter((part) => part.crc32 === null);
  for (; id !== END; id = fields.number8()) {
    if (id !== SUMS) throw refused('it is damaged: its header has a part that is not known');
    const sums = sumsIn(fields, open.length);
    for (const [k, part] of open.entries()) part.crc32 = sums[k] ?? null;
  }
  return parts;
}

function whole(folders: readonly Folder[], packed: Streams['packed']): Streams['parts'] {
  const starts = startsOf(folders, packed);
  return folders.map(({ size, crc32 }, i) => ({ size, crc32, start: starts[i] ?? null }));
}

/** Where the content of each folder lies; null where it is packed. */
function startsOf(folders: readonly Folder[], packed: Streams['packed']): (number | null)[] {
  let stream = 0;
  return folders.map(({ coders, inputs, size }) => {
    const place = packed[stream];
    stream += inputs;
    const isPlain = coders.length === 1 && coders[0]?.method === '00' && place?.size === size;
    return isPlain && place ? place.start : null;
  });
}

/** CRC-32s of which some may not be there. */
function sumsIn(fields: ByteReader, count: number): (number | null)[] {
  const areThere = fields.byte() === 0 ? bitsIn(fields, count) : null;
  const sums: (number | null)[] = [];
  for (let i = 0; i < count; i += 1) {
    sums.push(areThere === null || areThere[i] ? fields.uint32() : null);
  }
  return sums;
}

/** One bit each, the highest of a byte first. */
export function bitsIn(fields: ByteReader, count: number): boolean[] {
  const bytes = fields.bytes(Math.ceil(count / 8));
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) << (i & 7)) & 0x80) !== 0);
}

/** A number of things, each of which takes at least a bit of what follows or of what stood before. */
export function countIn(fields: ByteReader): number {
  const count = fields.number8();
  if (count > MOST_FOLDERS) throw refused(`it says to hold ${count} files, which is not read`);
  return count;
}

function expect(fields: ByteReader, id: number): void {
  if (fields.number8() !== id) throw refused('it is damaged: a part of its header is missing');
}
