import { constants, inflateSync } from 'node:zlib';
import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ, statedSize } from '../../image-bytes.ts';
import { blockImage, type PackedBlock } from '../block-image.ts';

const MODULO = 65521;

/**
 * Number of bytes after which the sums are reduced modulo `MODULO`. Until then, no sum exceeds 32
 * bits. zlib uses the same number.
 */
const STEP = 5552;

const HEADER = 32;
const SMALLEST_BLOCK = 512;
const STORED = 1n << 63n;

/**
 * Opens the image inside a GCZ. Throws a `CatalogError` of kind `refused` if the header or the
 * tables are impossible.
 *
 * Source: dolphin-emu/dolphin `Source/Core/DiscIO/CompressedBlob.h`. The header has these
 * little-endian fields:
 * - u32 at 0: magic B10BC001;
 * - u64 at 8: size of all packed blocks;
 * - u64 at 16: size of the image;
 * - u32 at 24: size of a block;
 * - u32 at 28: number of blocks.
 *
 * The first table starts at 32 and contains a u64 for each block: the block's offset from the end
 * of the tables. If the top bit of the offset is set, the block is stored uncompressed. All other
 * blocks are zlib streams. The second table contains the Adler-32 (u32) of each block in its stored
 * form.
 */
export async function openGcz(file: ImageBytes): Promise<ImageBytes> {
  const header = await file.read(0, HEADER);
  const packedSize = statedSize(header.readBigUInt64LE(8));
  const size = statedSize(header.readBigUInt64LE(16));
  const blockSize = header.readUInt32LE(24);
  const count = header.readUInt32LE(28);
  if (blockSize < SMALLEST_BLOCK || blockSize > MAX_READ || count !== Math.ceil(size / blockSize)) {
    throw refused('its header is damaged');
  }
  const sums = HEADER + 8 * count;
  const data = sums + 4 * count;
  if (data + packedSize > file.size) {
    throw refused(`it is cut: it has ${file.size} of ${data + packedSize} bytes`);
  }
  return blockImage(file, {
    size,
    blockSize,
    async locate(first, blocks) {
      const positions = await file.read(HEADER + 8 * first, 8 * blocks + 8);
      const expected = await file.read(sums + 4 * first, 4 * blocks);
      const startOf = (i: number) =>
        first + i === count
          ? packedSize
          : statedSize(BigInt.asUintN(63, positions.readBigUInt64LE(8 * i)));
      return Array.from({ length: blocks }, (_, i): PackedBlock => {
        const start = startOf(i);
        const isStored = (positions.readBigUInt64LE(8 * i) & STORED) !== 0n;
        const sum = expected.readUInt32LE(4 * i);
        return {
          offset: data + start,
          length: startOf(i + 1) - start,
          unpack: isStored ? (packed) => checked(packed, sum) : inflate,
        };
      });
    },
  });
}

/**
 * Inflates a block. The checksum in the table is not compared, because each zlib stream contains
 * its own checksum.
 */
function inflate(packed: Buffer, size: number): Buffer {
  return inflateSync(packed, {
    maxOutputLength: MAX_READ,
    chunkSize: Math.max(size, constants.Z_MIN_CHUNK),
  });
}

function checked(packed: Buffer, sum: number): Buffer {
  if (adler32(packed) !== sum) throw new RangeError('a block that is not what it was');
  return packed;
}

/** Calculates the Adler-32 checksum (RFC 1950, section 8.2), which Node's zlib does not provide. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(bytes.length, at + STEP); at < end; at += 1) {
      low += bytes[at] as number;
      high += low;
    }
    low %= MODULO;
    high %= MODULO;
  }
  return high * 65536 + low;
}
