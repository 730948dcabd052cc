import { type ImageBytes, readUpTo, statedSize } from '../../image-bytes.ts';
import { ByteReader } from './byte-reader.ts';
import { needDictionary } from './dictionary.ts';
import { addMember, type MemberList } from './members.ts';

const MAGIC = 4;
const MAX_HEADER_BYTES = 18;

/**
 * Adds the member of a Zstandard file to the list if the first frame states the unpacked size.
 * Records the memory for unpacking, which depends on the frame's window size. Throws a
 * `CatalogError` of kind `refused` if the file is truncated.
 *
 * Source: the frame header (RFC 8878, 3.1.1.1).
 */
export async function listZst(file: ImageBytes, list: MemberList): Promise<void> {
  const fields = new ByteReader((await readUpTo(file, 0, MAX_HEADER_BYTES)).subarray(MAGIC));
  const flags = fields.byte();
  const isWhole = (flags & 0x20) !== 0;
  const window = isWhole ? 0 : windowOf(fields.byte());
  fields.skip([0, 1, 2, 4][flags & 3] ?? 0);
  const size = sizeIn(fields, flags >> 6, isWhole);
  const needed = isWhole ? (size ?? 0) : Math.min(window, size ?? Infinity);
  needDictionary(list, needed);
  if (size !== null) addMember(list, { name: '', size, crc32: null, openStart: null });
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

function sizeIn(fields: ByteReader, form: number, isWhole: boolean): number | null {
  if (form === 0) return isWhole ? fields.byte() : null;
  if (form === 1) return fields.bytes(2).readUInt16LE(0) + 256;
  return form === 2 ? fields.uint32() : statedSize(fields.bytes(8).readBigUInt64LE(0));
}
