import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { adler32 } from '../../../src/disk/containers/nintendo/gcz.ts';

interface CsoForm {
  magic?: 'CISO' | 'ZISO';
  version?: number;
  blockSize?: number;
  shift?: number;
}

/** Makes a CSO or ZSO. A block is compressed if the compressed block is smaller. */
export function makeCso(
  image: Buffer,
  { magic = 'CISO', version = 1, blockSize = 2048, shift = 0 }: CsoForm = {},
  pack: (block: Buffer, index: number) => Buffer = (block) =>
    magic === 'ZISO' ? packLz4(block) : deflateRawSync(block),
): Buffer {
  const blocks = splitIntoBlocks(image, blockSize);
  const header = Buffer.alloc(24);
  header.write(magic, 0, 'latin1');
  header.writeUInt32LE(24, 4);
  header.writeBigUInt64LE(BigInt(image.length), 8);
  header.writeUInt32LE(blockSize, 16);
  header[20] = version;
  header[21] = shift;
  const index = Buffer.alloc(4 * (blocks.length + 1));
  const parts: Buffer[] = [header, index];
  let at = header.length + index.length;
  const align = () => {
    const padding = Buffer.alloc((2 ** shift - (at % 2 ** shift)) % 2 ** shift, 0x58);
    parts.push(padding);
    at += padding.length;
  };
  for (const [i, block] of blocks.entries()) {
    align();
    const packed = pack(block, i);
    const padded = Math.ceil(packed.length / 2 ** shift) * 2 ** shift;
    const isStored = padded >= block.length;
    // In version 2, the bit means that a block is packed with LZ4, as in ZSO. Here every second
    // block is packed with LZ4.
    const asLz4 = version === 2 && i % 2 === 1;
    const lz4 = asLz4 ? packLz4(block) : packed;
    const isLz4 = asLz4 && Math.ceil(lz4.length / 2 ** shift) * 2 ** shift < block.length;
    const chosen = isLz4 ? lz4 : isStored ? Buffer.concat([block], blockSize) : packed;
    const flag = version === 2 ? isLz4 : isStored;
    index.writeUInt32LE((at / 2 ** shift + (flag ? 0x80000000 : 0)) >>> 0, 4 * i);
    parts.push(chosen);
    at += chosen.length;
  }
  align();
  index.writeUInt32LE(at / 2 ** shift, 4 * blocks.length);
  return Buffer.concat(parts);
}

/**
 * Makes a DAX. `stored` lists ranges of uncompressed frames as [first, count]. A DAX with such
 * ranges has version 1. With `backwards`, the frames are in reverse order.
 */
export function makeDax(
  image: Buffer,
  stored: readonly (readonly [number, number])[] = [],
  backwards = false,
): Buffer {
  const frames = splitIntoBlocks(image, 8192);
  const header = Buffer.alloc(32);
  header.write('DAX\0', 0, 'latin1');
  header.writeUInt32LE(image.length, 4);
  header.writeUInt32LE(stored.length > 0 ? 1 : 0, 8);
  header.writeUInt32LE(stored.length, 12);
  const offsets = Buffer.alloc(4 * frames.length);
  const lengths = Buffer.alloc(2 * frames.length);
  const areas = Buffer.alloc(8 * stored.length);
  for (const [i, [first, count]] of stored.entries()) {
    areas.writeUInt32LE(first, 8 * i);
    areas.writeUInt32LE(count, 8 * i + 4);
  }
  const parts: Buffer[] = [header, offsets, lengths, areas];
  let at = Buffer.concat(parts).length;
  const order = [...frames.entries()];
  for (const [i, frame] of backwards ? order.reverse() : order) {
    const isStored = stored.some(([first, count]) => i >= first && i < first + count);
    const packed = isStored ? frame : deflateSync(frame);
    offsets.writeUInt32LE(at, 4 * i);
    lengths.writeUInt16LE(isStored ? 8192 : packed.length, 2 * i);
    parts.push(packed);
    at += packed.length;
  }
  return Buffer.concat(parts);
}

/**
 * Returns raw sectors of 2352 bytes with the image's data. The checksums after the data are zero.
 */
export function makeRaw(image: Buffer, mode: 1 | 2): Buffer {
  return Buffer.concat(
    splitIntoBlocks(image, 2048).map((data, i) => {
      const sector = Buffer.alloc(2352);
      sector.fill(0xff, 1, 11);
      const frame = i + 150;
      const address = [Math.floor(frame / 4500), Math.floor(frame / 75) % 60, frame % 75];
      for (const [at, part] of address.entries()) sector[12 + at] = Number(`0x${part}`);
      sector[15] = mode;
      if (mode === 2) sector.set([0, 0, 8, 0, 0, 0, 8, 0], 16);
      data.copy(sector, mode === 1 ? 16 : 24);
      return sector;
    }),
  );
}

/** Makes an uncompressed RVZ or WIA of a disc without partitions, in groups of 2 MiB. */
export function makeRvz(image: Buffer, magic: 'RVZ' | 'WIA' = 'RVZ'): Buffer {
  const chunk = 0x200000;
  const chunks = splitIntoBlocks(image, chunk);
  const disc = Buffer.alloc(0xdc);
  const rawAt = 0x48 + disc.length;
  const groupsAt = rawAt + 24;
  const entry = magic === 'RVZ' ? 12 : 8;
  const dataAt = Math.ceil((groupsAt + entry * chunks.length) / 4) * 4;
  disc.writeUInt32BE(1, 0);
  disc.writeUInt32BE(chunk, 0x0c);
  image.copy(disc, 0x10, 0, 0x80);
  disc.writeUInt32BE(0x30, 0x94);
  sha1(Buffer.alloc(0)).copy(disc, 0xa0);
  disc.writeUInt32BE(1, 0xb4);
  disc.writeBigUInt64BE(BigInt(rawAt), 0xb8);
  disc.writeUInt32BE(24, 0xc0);
  disc.writeUInt32BE(chunks.length, 0xc4);
  disc.writeBigUInt64BE(BigInt(groupsAt), 0xc8);
  disc.writeUInt32BE(entry * chunks.length, 0xd0);
  const tables = Buffer.alloc(dataAt - rawAt);
  tables.writeBigUInt64BE(0x80n, 0);
  tables.writeBigUInt64BE(BigInt(Math.max(0, image.length - 0x80)), 8);
  tables.writeUInt32BE(chunks.length, 20);
  for (const [i, { length }] of chunks.entries()) {
    tables.writeUInt32BE((dataAt + i * chunk) / 4, 24 + i * entry);
    tables.writeUInt32BE(length, 24 + i * entry + 4);
  }
  const head = Buffer.alloc(0x48);
  head.write(`${magic}\x01`, 0, 'latin1');
  head.writeUInt32BE(0x01000000, 4);
  head.writeUInt32BE(disc.length, 0x0c);
  sha1(disc).copy(head, 0x10);
  head.writeBigUInt64BE(BigInt(image.length), 0x24);
  head.writeBigUInt64BE(BigInt(dataAt + image.length), 0x2c);
  sha1(head.subarray(0, 0x34)).copy(head, 0x34);
  return Buffer.concat([head, disc, tables, image]);
}

/** Makes a GCZ like Dolphin. A block is compressed if the compressed block is smaller. */
export function makeGcz(image: Buffer): Buffer {
  const blockSize = 0x4000;
  const count = Math.ceil(image.length / blockSize);
  const tables = Buffer.alloc(12 * count);
  const blocks: Buffer[] = [];
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const block = Buffer.alloc(blockSize);
    image.copy(block, 0, i * blockSize);
    const packed = deflateSync(block);
    const isStored = packed.length >= blockSize;
    const bytes = isStored ? block : packed;
    tables.writeBigUInt64LE(BigInt(at) + (isStored ? 1n << 63n : 0n), 8 * i);
    tables.writeUInt32LE(adler32(bytes), 8 * count + 4 * i);
    blocks.push(bytes);
    at += bytes.length;
  }
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xb10bc001, 0);
  header.writeBigUInt64LE(BigInt(at), 8);
  header.writeBigUInt64LE(BigInt(image.length), 16);
  header.writeUInt32LE(blockSize, 24);
  header.writeUInt32LE(count, 28);
  return Buffer.concat([header, tables, ...blocks]);
}

/** Makes an EBOOT.PBP with these sections, in this order. */
export function makePbp(sections: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(40);
  header.write('\0PBP', 0, 'latin1');
  header.writeUInt32LE(0x10000, 4);
  let at = header.length;
  for (let i = 0; i < 8; i += 1) {
    header.writeUInt32LE(at, 8 + 4 * i);
    at += sections[i]?.length ?? 0;
  }
  return Buffer.concat([header, ...sections]);
}

/**
 * Makes an EBOOT.PBP of a PlayStation disc with sectors of 2352 bytes. A block has 16 sectors; the
 * last block is padded.
 */
export function makePsxPbp(
  sfo: Buffer,
  image: Buffer,
  pack: (block: Buffer, index: number) => Buffer = (block) => deflateRawSync(block),
  headSize = 0x100000,
): Buffer {
  const head = Buffer.alloc(headSize);
  head.write('PSISOIMG0000', 0, 'latin1');
  head.writeUInt32LE(head.length, 0xbfc);
  const blocks = splitIntoBlocks(image, 0x9300).map((block, i) => {
    return pack(Buffer.concat([block], 0x9300), i);
  });
  let at = 0;
  for (const [i, block] of blocks.entries()) {
    head.writeUInt32LE(at, 0x4000 + 32 * i);
    head.writeUInt16LE(block.length, 0x4000 + 32 * i + 4);
    at += block.length;
  }
  const none = Buffer.alloc(0);
  const psar = Buffer.concat([head, ...blocks]);
  return makePbp([sfo, none, none, none, none, none, Buffer.from('psp'), psar]);
}

/**
 * Packs the blocks of 64 KiB with the program lz4. Returns null for a block that lz4 stores
 * uncompressed.
 */
export function lz4Blocks(image: Buffer): (Buffer | null)[] {
  const frame = execFileSync('lz4', ['-9', '-B4', '-BI', '--no-frame-crc', '-c'], {
    input: image,
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const hasSize = ((frame[4] ?? 0) & 8) !== 0;
  const blocks: (Buffer | null)[] = [];
  for (let at = hasSize ? 15 : 7; ; ) {
    const size = frame.readUInt32LE(at);
    const length = size & 0x7fffffff;
    if (length === 0) return blocks;
    blocks.push(size >= 0x80000000 ? null : frame.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

/**
 * Packs a block with LZ4. A match starts at the nearest earlier position with the same four bytes.
 */
export function packLz4(block: Buffer): Buffer {
  const out: number[] = [];
  const seen = new Map<number, number>();
  let start = 0;
  let at = 0;
  const lengthBytes = (length: number) => {
    for (let rest = length - 15; rest >= 0; rest -= 255) out.push(Math.min(rest, 255));
  };
  const emit = (end: number, match?: { distance: number; length: number }) => {
    const literals = end - start;
    const more = match ? match.length - 4 : 0;
    out.push((Math.min(literals, 15) << 4) | Math.min(more, 15));
    lengthBytes(literals);
    out.push(...block.subarray(start, end));
    if (!match) return;
    out.push(match.distance & 255, match.distance >> 8);
    lengthBytes(more);
  };
  while (at + 12 < block.length) {
    const key = block.readUInt32LE(at);
    const earlier = seen.get(key);
    seen.set(key, at);
    if (earlier === undefined || at - earlier > 65535) {
      at += 1;
      continue;
    }
    let length = 4;
    while (at + length < block.length - 5 && block[earlier + length] === block[at + length]) {
      length += 1;
    }
    emit(at, { distance: at - earlier, length });
    at += length;
    start = at;
  }
  emit(block.length);
  return Buffer.from(out);
}

function splitIntoBlocks(image: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(image.length / size) }, (_, i) =>
    image.subarray(i * size, (i + 1) * size),
  );
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
