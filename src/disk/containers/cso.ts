import { constants, inflateRawSync } from 'node:zlib';
import { refused } from '../../core/shared/errors.ts';
import { type ImageBytes, statedSize } from '../image-bytes.ts';
import { blockImage, type PackedBlock } from './block-image.ts';
import { unpackLz4 } from './lz4.ts';

const HEADER = 24;
const FLAG = 0x80000000;
const SMALLEST_BLOCK = 512;
const LARGEST_BLOCK = 512 * 1024;

/**
 * Opens the image inside a CSO (versions 0 to 2) or a ZSO. Throws a `CatalogError` of kind
 * `refused` if the header or the index is impossible.
 *
 * Source: unknownbrackets/maxcso `README_CSO.md`, `README_ZSO.md`. The header has these
 * little-endian fields:
 * - u64 at 8: size of the image;
 * - u32 at 16: size of a block;
 * - u8 at 20: version;
 * - u8 at 21: number of bits by which the offsets in the index are shifted left.
 *
 * The index starts at 24. The index contains a u32 for the offset of each block, and a last u32 for
 * the end of the data. A set top bit means that the block is stored uncompressed. In CSO version 2,
 * a set top bit means that the block is packed with LZ4 instead. In version 2, a block is
 * uncompressed if its length is that of an unpacked block.
 */
export async function openCso(file: ImageBytes): Promise<ImageBytes> {
  const header = await file.read(0, HEADER);
  const isLz4 = header.toString('latin1', 0, 4) === 'ZISO';
  const size = statedSize(header.readBigUInt64LE(8));
  const blockSize = header.readUInt32LE(16);
  const version = header[20] ?? 0;
  const shift = header[21] ?? 0;
  const count = Math.ceil(size / blockSize);
  if (blockSize < SMALLEST_BLOCK || blockSize > LARGEST_BLOCK || version > 2 || shift > 20) {
    throw refused(`its header is damaged or of a version that is not known (${version})`);
  }
  if (HEADER + 4 * (count + 1) > file.size) {
    throw refused(`it is cut: it says to hold ${size} bytes, but its index is not whole`);
  }

  function blockAt(entry: number, next: number): PackedBlock {
    const offset = (entry % FLAG) * 2 ** shift;
    // The last entry of the index is the end of the data. The entry may be beyond the end of the
    // file because of padding, so limit the length to the file's size.
    const length = Math.min((next % FLAG) * 2 ** shift, file.size) - offset;
    // Read at most the length of two blocks, because the rest can only be padding.
    const used = Math.min(length, 2 * blockSize);
    const flagged = entry >= FLAG;
    if (version === 2 && !isLz4) {
      const unpack = length >= blockSize ? stored : flagged ? unpackLz4 : inflate;
      return { offset, length: used, unpack };
    }
    return { offset, length: used, unpack: flagged ? stored : isLz4 ? unpackLz4 : inflate };
  }

  return blockImage(file, {
    size,
    blockSize,
    async locate(first, blocks) {
      const index = await file.read(HEADER + 4 * first, 4 * (blocks + 1));
      return Array.from({ length: blocks }, (_, i) =>
        blockAt(index.readUInt32LE(4 * i), index.readUInt32LE(4 * i + 4)),
      );
    },
  });
}

const stored = (packed: Buffer) => packed;

/**
 * Inflates a block. Some packers omit the end mark of a deflate stream, so a stream without an end
 * mark is accepted. The caller checks the length of the output.
 */
function inflate(packed: Buffer, size: number): Buffer {
  return inflateRawSync(packed, {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: LARGEST_BLOCK,
    chunkSize: Math.max(size, constants.Z_MIN_CHUNK),
  });
}
