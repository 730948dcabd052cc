import { createCipheriv, hash } from 'node:crypto';
import type { HashException } from './read-group.ts';
import { WII_SECTOR } from './wia-tables.ts';

/** Number of sectors whose hashes form one tree. */
export const TREE_SECTORS = 64;
const HASHES = 0x400;
export const SECTOR_DATA = WII_SECTOR - HASHES;
const SHA1 = 20;
const BLOCK = 0x400;
const BLOCKS = SECTOR_DATA / BLOCK;
/**
 * Offsets of two of the three tables in a sector's 0x400 bytes of hashes. The table at 0 contains
 * the hashes of the sector's own blocks. The table at `H1_OFFSET` contains one hash for each of
 * eight sectors. The table at `H2_OFFSET` contains one hash for each of eight such groups of
 * sectors.
 */
const H1_OFFSET = 0x280;
const H2_OFFSET = 0x340;
const EIGHT = 8;
const TABLE = EIGHT * SHA1;
const DATA_VECTOR = 0x3d0;

/**
 * A list of hash exceptions. The offsets in the list are counted from the hashes of sector `first`,
 * the index of a sector in a tree.
 */
export interface PlacedExceptions {
  readonly first: number;
  readonly list: readonly HashException[];
}

/**
 * Returns 64 sectors of a Wii partition as stored on the disc: with hashes, and encrypted. `data`
 * contains 0x7C00 bytes for each sector, and zeros after the end of the partition. Throws a
 * RangeError if an exception is outside the hashes.
 *
 * Source: wiibrew.org "Wii disc". A sector begins with three tables of hashes:
 * - the SHA-1s of the 31 blocks of the sector;
 * - the SHA-1s of the first tables of eight sectors;
 * - the SHA-1s of the second tables of eight such groups of sectors.
 *
 * Hashes and data are encrypted separately, by AES-128-CBC with the title key. The initialization
 * vector is zeros for the hashes. For the data, the vector is 16 bytes of the encrypted hashes.
 */
export function wiiSectors(
  data: Buffer,
  key: Buffer,
  exceptions: readonly PlacedExceptions[],
): Buffer {
  const hashes = hashTables(data);
  for (const { first, list } of exceptions) {
    for (const { offset, hash: stored } of list) {
      const at = first * HASHES + offset;
      if (at + SHA1 > hashes.length) throw new RangeError('an exception from outside');
      stored.copy(hashes, at);
    }
  }
  const out = Buffer.allocUnsafe(TREE_SECTORS * WII_SECTOR);
  for (let i = 0; i < TREE_SECTORS; i += 1) {
    const own = hashes.subarray(i * HASHES, (i + 1) * HASHES);
    const at = i * WII_SECTOR;
    encrypt(own, key, Buffer.alloc(16)).copy(out, at);
    const vector = out.subarray(at + DATA_VECTOR, at + DATA_VECTOR + 16);
    encrypt(data.subarray(i * SECTOR_DATA, (i + 1) * SECTOR_DATA), key, vector).copy(
      out,
      at + HASHES,
    );
  }
  return out;
}

function hashTables(data: Buffer): Buffer {
  const tables = Buffer.alloc(TREE_SECTORS * HASHES);
  for (let sector = 0; sector < TREE_SECTORS; sector += 1) {
    for (let i = 0; i < BLOCKS; i += 1) {
      const at = sector * SECTOR_DATA + i * BLOCK;
      sha1(data.subarray(at, at + BLOCK)).copy(tables, sector * HASHES + i * SHA1);
    }
  }
  for (let eight = 0; eight < TREE_SECTORS; eight += EIGHT) {
    const start = eight * HASHES;
    for (let i = 0; i < EIGHT; i += 1) {
      const own = start + i * HASHES;
      sha1(tables.subarray(own, own + BLOCKS * SHA1)).copy(tables, start + H1_OFFSET + i * SHA1);
    }
    const table = tables.subarray(start + H1_OFFSET, start + H1_OFFSET + TABLE);
    for (let i = 1; i < EIGHT; i += 1) table.copy(tables, start + i * HASHES + H1_OFFSET);
    sha1(table).copy(tables, H2_OFFSET + (eight / EIGHT) * SHA1);
  }
  const last = tables.subarray(H2_OFFSET, H2_OFFSET + TABLE);
  for (let i = 1; i < TREE_SECTORS; i += 1) last.copy(tables, i * HASHES + H2_OFFSET);
  return tables;
}

const sha1 = (bytes: Buffer) => hash('sha1', bytes, 'buffer');

function encrypt(bytes: Buffer, key: Buffer, vector: Buffer): Buffer {
  return createCipheriv('aes-128-cbc', key, vector).setAutoPadding(false).update(bytes);
}
