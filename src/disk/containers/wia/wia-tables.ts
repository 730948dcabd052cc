import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readLong, statedSize } from '../../image-bytes.ts';
import type { Packing } from './codecs.ts';
import { sha1, type WiaHeader } from './header.ts';
import { unpackPurge } from './purge.ts';

/** A part of the disc, packed in consecutive groups. */
export interface WiaArea {
  /** Offset on the disc, in bytes. */
  readonly start: number;
  readonly size: number;
  readonly firstGroup: number;
  readonly groups: number;
  /**
   * The Wii partition of the area. Null for an area outside partitions. The file stores the data of
   * partitions decrypted and without hashes.
   */
  readonly partition: WiaPartition | null;
}

export interface WiaPartition {
  readonly key: Buffer;
  /** Offset of the partition's data on the disc, in bytes. */
  readonly start: number;
}

/** The position of a group in the file. */
export interface WiaGroup {
  readonly offset: number;
  /** Number of bytes in the file. 0 for a group that contains only zeros. */
  readonly length: number;
  readonly isPacked: boolean;
  /**
   * Number of unpacked bytes before padding is restored. 0 if the group has no padding to restore.
   */
  readonly packedSize: number;
}

export interface WiaTables {
  /** The areas, in the order of their offsets on the disc. */
  readonly areas: readonly WiaArea[];
  /** Returns the position of a group. Throws a RangeError if the group does not exist. */
  group(index: number): WiaGroup;
}

export const WII_SECTOR = 0x8000;
const PARTITION = 0x30;
const MAX_PARTITIONS = 256;
const RAW_AREA = 24;
const MAX_RAW_AREAS = 4096;
/** Maximum number of groups. This is enough for 32 GiB in groups of 32 KiB. */
const MAX_GROUPS = 2 ** 20;

/**
 * Reads the tables, which state the positions of the areas and groups. Throws a `CatalogError` of
 * kind `refused` if a table is damaged.
 */
export async function readTables(
  file: ImageBytes,
  header: WiaHeader,
  packing: Packing,
): Promise<WiaTables> {
  const { partitions, rawAreas, groups, isRvz } = header;
  const groupSize = isRvz ? 12 : 8;
  if (
    partitions.count > MAX_PARTITIONS ||
    partitions.entrySize > 0x100 ||
    rawAreas.count > MAX_RAW_AREAS ||
    groups.count > MAX_GROUPS
  ) {
    throw refused('it is damaged: its tables cannot be so long');
  }
  const stored = partitions.count * partitions.entrySize;
  const table = await readLong(file, partitions.offset, stored);
  if (!sha1(table).equals(partitions.sha1)) throw refused('its table of partitions is damaged');
  const areas = [
    ...partitionAreas(table, partitions.entrySize),
    ...rawDataAreas(await unpackTable(file, packing, rawAreas, RAW_AREA)),
  ];
  const entries = await unpackTable(file, packing, groups, groupSize);
  return {
    areas: areas.filter(({ size }) => size > 0).sort((a, b) => a.start - b.start),
    group(index) {
      const at = index * groupSize;
      if (at >= entries.length) throw new RangeError('a group that is not there');
      const size = entries.readUInt32BE(at + 4);
      return {
        offset: 4 * entries.readUInt32BE(at),
        length: isRvz ? size % 2 ** 31 : size,
        isPacked: !isRvz || size >= 2 ** 31,
        packedSize: isRvz ? entries.readUInt32BE(at + 8) : 0,
      };
    },
  };
}

function partitionAreas(table: Buffer, entrySize: number): WiaArea[] {
  const areas: WiaArea[] = [];
  for (let at = 0; at < table.length; at += entrySize) {
    const entry = Buffer.alloc(PARTITION);
    table.copy(entry, 0, at, at + Math.min(entrySize, PARTITION));
    const partition = { key: entry.subarray(0, 16), start: entry.readUInt32BE(16) * WII_SECTOR };
    for (const from of [16, 32]) {
      areas.push({
        start: entry.readUInt32BE(from) * WII_SECTOR,
        size: entry.readUInt32BE(from + 4) * WII_SECTOR,
        firstGroup: entry.readUInt32BE(from + 8),
        groups: entry.readUInt32BE(from + 12),
        partition,
      });
    }
  }
  return areas;
}

/**
 * Reads the areas outside partitions. The first area states that it starts at 0x80, but its data
 * starts at 0. Each start is therefore rounded down to a multiple of the sector size.
 */
function rawDataAreas(table: Buffer): WiaArea[] {
  return Array.from({ length: table.length / RAW_AREA }, (_, i) => {
    const at = i * RAW_AREA;
    const stated = statedSize(table.readBigUInt64BE(at));
    const start = stated - (stated % WII_SECTOR);
    return {
      start,
      size: statedSize(table.readBigUInt64BE(at + 8)) + stated - start,
      firstGroup: table.readUInt32BE(at + 16),
      groups: table.readUInt32BE(at + 20),
      partition: null,
    };
  });
}

async function unpackTable(
  file: ImageBytes,
  packing: Packing,
  { count, offset, packedSize }: WiaHeader['groups'],
  entrySize: number,
): Promise<Buffer> {
  const size = count * entrySize;
  if (packedSize > 2 * size + 0x10000) throw refused('it is damaged: a table is too long');
  const stored = await readLong(file, offset, packedSize);
  try {
    const table =
      packing === 'none'
        ? stored
        : packing === 'purge'
          ? unpackPurge(stored, 0, size)
          : packing(stored, size);
    if (table.length >= size) return table.subarray(0, size);
  } catch (error) {
    throw refused('it is damaged: a table cannot be unpacked', error);
  }
  throw refused('it is damaged: a table is too short');
}
