import { refused } from '../../../../core/shared/errors.ts';
import type { ByteReader } from '../byte-reader.ts';
import { CRC32_LIST_ID, countIn, END, readCrc32s, unknownPart } from './seven-zip-lists.ts';

/** One step of packing, such as a filter or a compression method. */
export interface Coder {
  /** The method's id in hexadecimal: `030101` is LZMA. */
  readonly method: string;
  readonly properties: Buffer;
  readonly inputs: number;
  readonly outputs: number;
}

/** A "folder" of a 7z: one or more files that are packed back to back as one stream. */
export interface Folder {
  readonly coders: readonly Coder[];
  /** Unpacked size, in bytes. */
  readonly size: number;
  readonly crc32: number | null;
  /** Number of packed streams from which the folder is unpacked. */
  readonly inputs: number;
}

const FOLDER = 0x0b;
const FOLDER_SIZES = 0x0c;
const MAX_CODERS = 32;

/**
 * Reads the folders of a 7z. `fields` must be positioned after the id of this section (0x07).
 * Throws a `CatalogError` of kind `refused` if the list is damaged.
 */
export function foldersIn(fields: ByteReader): Folder[] {
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
    if (id !== CRC32_LIST_ID) throw refused(unknownPart);
    sums = readCrc32s(fields, count);
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
  if (count === 0 || count > MAX_CODERS) throw refused('it is damaged: it has too many coders');
  const coders: Coder[] = [];
  for (let i = 0; i < count; i += 1) {
    const flags = fields.byte();
    const method = fields.bytes(flags & 0x0f).toString('hex');
    const inputs = (flags & 0x10) === 0 ? 1 : fields.number8();
    const outputs = (flags & 0x10) === 0 ? 1 : fields.number8();
    if (inputs > MAX_CODERS || outputs > MAX_CODERS) {
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

/**
 * Returns the size of a coder's dictionary in bytes. Returns 0 for methods that need a small
 * dictionary or none.
 */
export function dictionaryOf({ method, properties }: Coder): number {
  if (method === '030101' && properties.length >= 5) return properties.readUInt32LE(1);
  if (method === '030401' && properties.length >= 5) return properties.readUInt32LE(1);
  const [bits = 0] = properties;
  if (method === '21') return bits >= 40 ? 2 ** 32 : (2 | (bits & 1)) * 2 ** ((bits >> 1) + 11);
  return 0;
}

function expect(fields: ByteReader, id: number): void {
  if (fields.number8() !== id) throw refused('it is damaged: a part of its header is missing');
}
