import { crc32 } from 'node:zlib';
import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readLong } from '../../image-bytes.ts';
import type { ChdHeader } from './header.ts';
import type { Hunk, HunkMap } from './hunk.ts';

const ENTRY = 16;
const PACKED = 1;
const STORED = 2;
const PATTERN = 3;
const SELF = 4;
const HAS_NO_SUM = 0x10;

/**
 * Reads the map of a CHD of version 4. The map follows the header. Throws a `CatalogError` of kind
 * `refused` if the map is truncated.
 *
 * Source: mamedev/mame `src/lib/util/chd.cpp`. The map contains one entry of 16 bytes for each
 * hunk, with these big-endian fields:
 * - u64 at 0: offset of the hunk in the file;
 * - u32 at 8: CRC-32 of the hunk;
 * - u16 at 12: low 16 bits of the length;
 * - u8 at 14: high 8 bits of the length;
 * - u8 at 15: kind and flags.
 *
 * Two kinds contain another value instead of the offset. This value is eight bytes that fill the
 * hunk, or the number of an equal hunk.
 */
export async function readV4Map(
  file: ImageBytes,
  header: ChdHeader,
  count: number,
): Promise<HunkMap> {
  if (header.mapOffset + ENTRY * count > file.size) {
    throw refused('it is cut: its map is not whole');
  }
  const entries = await readLong(file, header.mapOffset, ENTRY * count);
  return {
    count,
    at: (index) => hunkOf(entries.subarray(index * ENTRY, (index + 1) * ENTRY), header),
  };
}

function hunkOf(entry: Buffer, header: ChdHeader): Hunk {
  const flags = entry.readUInt8(15);
  const type = flags & 15;
  if (type === PATTERN) return { kind: 'filled', pattern: entry.subarray(0, 8) };
  const offset = Number(entry.readBigUInt64BE(0));
  if (type === SELF) return { kind: 'same', as: offset };
  if (type !== PACKED && type !== STORED) {
    throw refused('its map is damaged: a hunk is of a kind that cannot be');
  }
  const sum = entry.readUInt32BE(8);
  const isWhole = (bytes: Buffer) => (flags & HAS_NO_SUM) !== 0 || crc32(bytes) === sum;
  if (type === STORED) {
    return { kind: 'stored', codec: 0, offset, length: header.hunkBytes, isWhole };
  }
  const length = entry.readUInt16BE(12) + 2 ** 16 * entry.readUInt8(14);
  return { kind: 'packed', codec: 0, offset, length, isWhole };
}
