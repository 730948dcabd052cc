import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readLong } from '../../image-bytes.ts';
import { BitReader } from '../bit-reader.ts';
import { crc16 } from './crc16.ts';
import type { ChdHeader } from './header.ts';
import { huffmanCode, readLengthRuns } from './huffman.ts';
import type { HunkMap } from './hunk.ts';

/**
 * Maximum number of hunks per byte of the packed map. A run of equal kinds covers up to 273 hunks
 * in a few bits.
 */
const MAX_PER_BYTE = 1024;
const MAP_HEADER = 16;
const ENTRY = 12;
const ZEROS = Buffer.alloc(8);

// Kinds of hunks. Kinds 0 to 3 are the indexes of the header's codecs. Kinds from 6 on occur only
// in the packed map, or refer to a parent.
const STORED = 4;
const SELF = 5;
const RUN = 7;
const LONG_RUN = 8;
const SELF_AGAIN = 9;
const SELF_NEXT = 10;
const KINDS = 16;
const MAX_BITS = 8;

/**
 * Reads the packed map of a CHD of version 5. Throws a `CatalogError` of kind `refused` if the map
 * is truncated or damaged.
 *
 * Source: mamedev/mame `src/lib/util/chd.cpp`. The map has these big-endian fields:
 * - u32 at 0: length of the packed data;
 * - u48 at 4: offset of the first hunk;
 * - u16 at 10: CRC-16 of the unpacked map;
 * - u8 at 12: number of bits of a packed hunk's length;
 * - u8 at 13: number of bits of a hunk's number.
 *
 * The packed data starts at 16. The packed data contains the Huffman code of the kinds, the kinds
 * of all hunks, and the fields of each hunk.
 */
export async function readV5Map(
  file: ImageBytes,
  header: ChdHeader,
  count: number,
): Promise<HunkMap> {
  const head = await file.read(header.mapOffset, MAP_HEADER);
  const length = head.readUInt32BE(0);
  if (header.mapOffset + MAP_HEADER + length > file.size || count > length * MAX_PER_BYTE) {
    throw refused('it is cut: its map is not whole');
  }
  const packed = await readLong(file, header.mapOffset + MAP_HEADER, length);
  const entries = unpackMap(packed, head, count, header.hunkBytes);
  if (crc16(entries) !== head.readUInt16BE(10)) {
    throw refused('its map is damaged: its checksum differs');
  }
  return {
    count,
    at(index) {
      const entry = entries.subarray(index * ENTRY, (index + 1) * ENTRY);
      const codec = entry.readUInt8(0);
      const offset = entry.readUIntBE(4, 6);
      if (codec === SELF) return { kind: 'same', as: offset };
      const sum = entry.readUInt16BE(10);
      const isWhole = (bytes: Buffer) => crc16(bytes) === sum;
      const kind = codec === STORED ? 'stored' : 'packed';
      return { kind, codec, offset, length: entry.readUIntBE(1, 3), isWhole };
    },
  };
}

/**
 * Reads the map of a CHD of version 5 in which nothing is packed. The map contains one u32 for each
 * hunk: the hunk's offset in units of the hunk size. A value of 0 means that the hunk contains only
 * zeros. Throws a `CatalogError` of kind `refused` if the map is truncated.
 */
export async function readPlainMap(
  file: ImageBytes,
  header: ChdHeader,
  count: number,
): Promise<HunkMap> {
  if (header.mapOffset + 4 * count > file.size) throw refused('it is cut: its map is not whole');
  const places = await readLong(file, header.mapOffset, 4 * count);
  const length = header.hunkBytes;
  return {
    count,
    at(index) {
      const place = places.readUInt32BE(4 * index);
      if (place === 0) return { kind: 'filled', pattern: ZEROS };
      const isWhole = () => true;
      return { kind: 'stored', codec: 0, offset: place * length, length, isWhole };
    },
  };
}

/**
 * Unpacks the map. Each unpacked entry contains the kind (8 bits), the length (24 bits), the offset
 * (48 bits) and the CRC-16 of the hunk.
 */
function unpackMap(packed: Buffer, head: Buffer, count: number, hunkBytes: number): Buffer {
  const entries = Buffer.alloc(count * ENTRY);
  const bits = new BitReader(packed);
  try {
    readKinds(bits, entries);
    readPlaces(bits, entries, head, hunkBytes);
  } catch (error) {
    throw refused('its map is damaged', error);
  }
  if (bits.isPastEnd) throw refused('its map is damaged: it is too short');
  return entries;
}

function readKinds(bits: BitReader, entries: Buffer): void {
  const code = huffmanCode(readLengthRuns(bits, KINDS, MAX_BITS), MAX_BITS);
  let last = 0;
  let again = 0;
  for (let at = 0; at < entries.length; at += ENTRY) {
    if (again > 0) again -= 1;
    else {
      const kind = code.next(bits);
      if (kind === RUN) again = 2 + code.next(bits);
      else if (kind === LONG_RUN) again = 2 + 16 + 16 * code.next(bits) + code.next(bits);
      else last = kind;
    }
    entries[at] = last;
  }
}

function readPlaces(bits: BitReader, entries: Buffer, head: Buffer, hunkBytes: number): void {
  const lengthBits = head.readUInt8(12);
  const selfBits = head.readUInt8(13);
  if (lengthBits > 24 || selfBits > 32) throw new RangeError('too many bits');
  let next = head.readUIntBE(4, 6);
  let self = 0;
  for (let at = 0; at < entries.length; at += ENTRY) {
    const kind = entries[at] as number;
    if (kind <= STORED) {
      const length = kind === STORED ? hunkBytes : bits.read(lengthBits);
      entries.writeUIntBE(length, at + 1, 3);
      entries.writeUIntBE(next, at + 4, 6);
      entries.writeUInt16BE(bits.read(16), at + 10);
      next += length;
      continue;
    }
    if (kind === SELF) self = bits.read(selfBits);
    else if (kind === SELF_NEXT) self += 1;
    else if (kind !== SELF_AGAIN) throw new RangeError('a hunk of a kind that cannot be');
    entries[at] = SELF;
    entries.writeUIntBE(self, at + 4, 6);
  }
}
