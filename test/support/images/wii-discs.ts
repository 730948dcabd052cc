import {
  SECTOR_DATA,
  TREE_SECTORS,
  wiiSectors,
} from '../../../src/disk/containers/wia/wii-sectors.ts';
import { nintendoImage } from './disc-images.ts';
import { noise } from './nintendo-discs.ts';

const SECTOR = 0x8000;
const PARTITION_HEAD = 0x20000;
/** The title key that consoles and tools derive from a ticket whose key and title id are zero. */
export const TITLE_KEY = Buffer.from('c79282f14fd2e6bed75bd784cd0501c8', 'hex');

export interface WiiPartition {
  /** Offset of the partition on the disc, in bytes. */
  readonly start: number;
  readonly sectors: number;
  /** Data of the partition without hashes, starting at offset 64 KiB. */
  readonly data: Buffer;
}

/**
 * Makes an encrypted Wii disc with these partitions. The disc has all hashes except H3, which
 * belong to the partition's head. In the second sector of each partition, two hashes are incorrect.
 * Tools that calculate the hashes themselves (Dolphin, wit) report the same two hashes. Source:
 * wiibrew.org "Wii disc".
 */
export function wiiDisc(id: string, partitions: readonly WiiPartition[], size: number): Buffer {
  const disc = Buffer.alloc(size);
  nintendoImage(id, 'A game', 'wii', { disc: 0, revision: 1 }).copy(disc);
  disc.writeUInt32BE(partitions.length, 0x40000);
  disc.writeUInt32BE(0x40020 / 4, 0x40004);
  for (const [i, { start }] of partitions.entries()) {
    disc.writeUInt32BE(start / 4, 0x40020 + 8 * i);
    disc.writeUInt32BE(i === 0 ? 0 : 1, 0x40024 + 8 * i);
  }
  disc.writeUInt32BE(0xc3f81a8e, 0x4fffc);
  for (const partition of partitions) writePartition(disc, id, partition);
  return disc;
}

function writePartition(disc: Buffer, id: string, { start, sectors, data }: WiiPartition): void {
  const trees = Math.ceil(sectors / TREE_SECTORS);
  const content = Buffer.alloc(trees * TREE_SECTORS * SECTOR_DATA);
  programAndFiles(id).copy(content);
  data.copy(content, 0x10000, 0, sectors * SECTOR_DATA - 0x10000);
  const head = disc.subarray(start, start + PARTITION_HEAD);
  for (let tree = 0; tree < trees; tree += 1) {
    const from = tree * TREE_SECTORS;
    const own = content.subarray(from * SECTOR_DATA, (from + TREE_SECTORS) * SECTOR_DATA);
    const odd = [
      { offset: 20, hash: Buffer.alloc(20, 'odd') },
      { offset: 0x280, hash: Buffer.alloc(20, 'hash') },
    ];
    const bytes = wiiSectors(own, TITLE_KEY, tree === 0 ? [{ first: 1, list: odd }] : []);
    bytes.copy(disc, start + PARTITION_HEAD + from * SECTOR, 0, (sectors - from) * SECTOR);
  }
  head.writeUInt32BE(0x10001, 0);
  head.write('Root-CA00000001-XS00000003', 0x140, 'latin1');
  const fields = [0x208, 0x2c0 / 4, 0xa00, 0x4e0 / 4, 0x8000 / 4, PARTITION_HEAD / 4];
  for (const [i, field] of fields.entries()) head.writeUInt32BE(field, 0x2a4 + 4 * i);
  head.writeUInt32BE((sectors * SECTOR) / 4, 0x2bc);
  const tmd = head.subarray(0x2c0);
  tmd.writeUInt32BE(0x10001, 0);
  tmd.write('Root-CA00000001-CP00000004', 0x140, 'latin1');
  tmd.writeUInt16BE(1, 0x1de);
}

/**
 * Makes a disc with two partitions. The disc contains each kind of data that is packed differently:
 * padding, noise, text and zeros.
 */
export function sampleWiiDisc(): Buffer {
  const text = Buffer.alloc(0x8000, 'text ');
  const odd = padding(0x40000, 7);
  noise(0x1234).copy(odd);
  const parts = [text, noise(0x8000, 2), padding(0x180000, 5), Buffer.alloc(0x20000), odd];
  const second = 0x200000;
  const size = second + PARTITION_HEAD + 70 * SECTOR + 0x50000;
  const disc = wiiDisc(
    'RTST01',
    [
      { start: 0x50000, sectors: 10, data: padding(0x10000, 3) },
      { start: second, sectors: 70, data: Buffer.concat(parts) },
    ],
    size,
  );
  padding(0x40000, 99).copy(disc, size - 0x48000);
  return disc;
}

/** Returns the first 64 KiB of a partition's data: its header, a program, and a file of noise. */
function programAndFiles(id: string): Buffer {
  const start = Buffer.alloc(0x10000);
  nintendoImage(id, 'A game', 'wii', { disc: 0, revision: 1 }).copy(start);
  for (const [i, at] of [0x4000 / 4, 0x6000 / 4, 0x40 / 4, 0x40 / 4].entries()) {
    start.writeUInt32BE(at, 0x420 + 4 * i);
  }
  start.writeUInt32BE(0x100, 0x4000);
  start.writeUInt32BE(0x80003100, 0x4048);
  start.writeUInt32BE(0x100, 0x4090);
  start.writeUInt32BE(0x80003100, 0x40e0);
  for (const [i, number] of [0x01000000, 0, 2, 0, 0x8000 / 4, 0x2000].entries()) {
    start.writeUInt32BE(number, 0x6000 + 4 * i);
  }
  start.write('a.bin\0', 0x6018, 'latin1');
  noise(0x2000).copy(start, 0x8000);
  return start;
}

/**
 * Returns `size` bytes of the pseudorandom padding of discs. The bytes start at an offset that is a
 * multiple of 32 KiB; see `writePadding`.
 */
export function padding(size: number, seed: number): Buffer {
  const out = Buffer.alloc(Math.ceil(size / 4) * 4);
  for (let start = 0; start < out.length; start += SECTOR) {
    const words: number[] = [];
    const first = noise(68, seed + start);
    for (let i = 0; i < 17; i += 1) words.push(first.readUInt32BE(4 * i));
    for (let i = 17; i < 521; i += 1) {
      words.push((w(words, i - 17) << 23) ^ (w(words, i - 16) >>> 9) ^ w(words, i - 1));
    }
    // Unlike `writePadding`, which rotates a buffer, generate one long sequence of words.
    const needed = 521 * 4 + SECTOR / 4;
    for (let i = 521; i < 521 + needed; i += 1) words.push(w(words, i - 521) ^ w(words, i - 32));
    for (let at = 0; at < SECTOR && start + at < out.length; at += 4) {
      const word = w(words, 521 * 4 + at / 4);
      const second = (word >>> 18) & 0xff;
      out.writeUInt32BE(((word & 0xff00ffff) | (second << 16)) >>> 0, start + at);
    }
  }
  return out.subarray(0, size);
}

const w = (words: readonly number[], index: number) => words[index] as number;
