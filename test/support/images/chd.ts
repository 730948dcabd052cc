import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A hunk as stored in the CHD: packed by the codec with this number, stored uncompressed, or a
 * reference to an identical earlier hunk.
 */
export type PackedHunk =
  | { readonly codec: number; readonly packed: Buffer }
  | 'stored'
  | { readonly same: number };

export interface ChdForm {
  readonly hunkBytes: number;
  readonly unitBytes: number;
  /** At most four names of codecs. */
  readonly codecs: readonly string[];
  readonly metadata?: readonly { tag: string; text: string }[];
  readonly parent?: string;
  pack(hunk: Buffer, index: number): PackedHunk;
}

const HEADER = 124;
const STORED = 4;
const SAME = 5;

/**
 * Makes a CHD of version 5 in forms that Debian's chdman cannot make. The CHD's hunk map has no
 * runs, and each kind of hunk has a code of four bits.
 */
export function makeChd(image: Buffer, form: ChdForm): Buffer {
  const hunks = splitIntoBlocks(image, form.hunkBytes);
  const bits: string[] = [];
  const add = (value: number, width: number) => bits.push(value.toString(2).padStart(width, '0'));
  for (let symbol = 0; symbol < 16; symbol += 1) add(4, 4);
  const made = hunks.map((hunk, index) => chooseShorter(form.pack(hunk, index), hunk));
  for (const one of made) add(one === 'stored' ? STORED : 'same' in one ? SAME : one.codec, 4);
  const data: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = HEADER;
  for (const [index, one] of made.entries()) {
    const hunk = hunks[index] as Buffer;
    const entry = Buffer.alloc(12);
    entries.push(entry);
    if (one !== 'stored' && 'same' in one) {
      entry[0] = SAME;
      entry.writeUIntBE(one.same, 4, 6);
      add(one.same, 32);
      continue;
    }
    const bytes = one === 'stored' ? hunk : one.packed;
    if (one !== 'stored') add(bytes.length, 24);
    entry[0] = one === 'stored' ? STORED : one.codec;
    entry.writeUIntBE(bytes.length, 1, 3);
    entry.writeUIntBE(at, 4, 6);
    entry.writeUInt16BE(crc16ByBit(hunk), 10);
    add(crc16ByBit(hunk), 16);
    data.push(bytes);
    at += bytes.length;
  }
  const packedMap = bytesOf(bits.join(''));
  const head = Buffer.alloc(16);
  head.writeUInt32BE(packedMap.length, 0);
  head.writeUIntBE(HEADER, 4, 6);
  head.writeUInt16BE(crc16ByBit(Buffer.concat(entries)), 10);
  head.set([24, 32, 0], 12);
  const map = Buffer.concat([head, packedMap]);
  const header = Buffer.alloc(HEADER);
  header.write('MComprHD', 0, 'latin1');
  header.writeUInt32BE(HEADER, 8);
  header.writeUInt32BE(5, 12);
  for (const [i, codec] of form.codecs.entries()) header.write(codec, 16 + 4 * i, 'latin1');
  header.writeBigUInt64BE(BigInt(image.length), 32);
  header.writeBigUInt64BE(BigInt(at), 40);
  const metadata = metadataAt(at + map.length, form.metadata ?? []);
  header.writeBigUInt64BE(BigInt(metadata.length === 0 ? 0 : at + map.length), 48);
  header.writeUInt32BE(form.hunkBytes, 56);
  header.writeUInt32BE(form.unitBytes, 60);
  createHash('sha1').update(image).digest().copy(header, 64);
  wholeSha1(image, form.metadata).copy(header, 84);
  if (form.parent) header.write(form.parent, 104, 'hex');
  return Buffer.concat([header, ...data, map, metadata]);
}

/**
 * A hunk of version 4: packed, stored uncompressed, filled with eight repeated bytes, or a
 * reference to an identical earlier hunk.
 */
export type OldHunk =
  | { readonly packed: Buffer }
  | 'stored'
  | { readonly filled: Buffer }
  | { readonly same: number };

/** Makes a CHD of version 4 that is compressed with zlib. */
export function makeOldChd(
  image: Buffer,
  {
    hunkBytes,
    metadata = [],
    pack,
  }: {
    hunkBytes: number;
    metadata?: ChdForm['metadata'];
    pack: (hunk: Buffer, index: number) => OldHunk;
  },
): Buffer {
  const hunks = splitIntoBlocks(image, hunkBytes);
  const length = 108;
  const map = Buffer.alloc(16 * hunks.length);
  const data: Buffer[] = [];
  let at = length + map.length;
  for (const [index, hunk] of hunks.entries()) {
    const entry = map.subarray(16 * index, 16 * index + 16);
    const one = chooseShorter(pack(hunk, index), hunk);
    entry.writeUInt32BE(crc32(hunk), 8);
    if (one !== 'stored' && 'filled' in one) {
      one.filled.copy(entry);
      entry[15] = 3;
    } else if (one !== 'stored' && 'same' in one) {
      entry.writeBigUInt64BE(BigInt(one.same), 0);
      entry[15] = 4;
    } else {
      const bytes = one === 'stored' ? hunk : one.packed;
      entry.writeBigUInt64BE(BigInt(at), 0);
      entry.writeUInt16BE(bytes.length % 65536, 12);
      entry[14] = Math.floor(bytes.length / 65536);
      entry[15] = one === 'stored' ? 2 : 1;
      data.push(bytes);
      at += bytes.length;
    }
  }
  const header = Buffer.alloc(length);
  header.write('MComprHD', 0, 'latin1');
  header.writeUInt32BE(length, 8);
  header.writeUInt32BE(4, 12);
  header.writeUInt32BE(1, 20);
  header.writeUInt32BE(hunks.length, 24);
  header.writeBigUInt64BE(BigInt(image.length), 28);
  header.writeBigUInt64BE(BigInt(metadata.length === 0 ? 0 : at), 36);
  header.writeUInt32BE(hunkBytes, 44);
  wholeSha1(image, metadata).copy(header, 48);
  createHash('sha1').update(image).digest().copy(header, 88);
  return Buffer.concat([header, map, ...data, metadataAt(at, metadata)]);
}

/** Calculates a CRC-16 bit by bit, as in its definition. */
export function crc16ByBit(bytes: Buffer): number {
  let sum = 0xffff;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum & 0x8000 ? 0x11021 : 0);
  }
  return sum;
}

/**
 * Returns the frames of a CD track with empty subchannels. The bytes of audio samples are swapped,
 * as in CHDs.
 */
export function frames(track: Buffer, { isAudio = false } = {}): Buffer {
  const bytes = isAudio ? Buffer.from(track).swap16() : track;
  const empty = Buffer.alloc(96);
  return Buffer.concat(splitIntoBlocks(bytes, 2352).flatMap((sector) => [sector, empty]));
}

function metadataAt(start: number, list: readonly { tag: string; text: string }[]): Buffer {
  let at = start;
  return Buffer.concat(
    list.map(({ tag, text }, index) => {
      const entry = Buffer.alloc(16 + text.length + 1);
      at += entry.length;
      entry.write(tag, 0, 'latin1');
      entry.writeUInt32BE(0x01000000 + text.length + 1, 4);
      entry.writeBigUInt64BE(BigInt(index === list.length - 1 ? 0 : at), 8);
      entry.write(text, 16, 'latin1');
      return entry;
    }),
  );
}

/**
 * Returns the SHA-1 of the image and its metadata, calculated like MAME's `compute_overall_sha1`.
 */
function wholeSha1(image: Buffer, metadata: ChdForm['metadata'] = []): Buffer {
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
  const pieces = metadata.map(({ tag, text }) =>
    Buffer.concat([Buffer.from(tag, 'latin1'), sha1(Buffer.from(`${text}\0`, 'latin1'))]),
  );
  return sha1(Buffer.concat([sha1(image), ...pieces.sort(Buffer.compare)]));
}

function chooseShorter<T extends PackedHunk | OldHunk>(made: T, { length }: Buffer): T | 'stored' {
  return typeof made === 'object' && 'packed' in made && made.packed.length >= length
    ? 'stored'
    : made;
}

/** Splits an image into hunks. The last hunk is padded with zeros. */
function splitIntoBlocks(image: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(image.length / size) }, (_, i) =>
    Buffer.concat([image.subarray(i * size, (i + 1) * size)], size),
  );
}

function bytesOf(bits: string): Buffer {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
