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
 * Opens the image inside a CSO (version 0 to 2) or ZSO. Throws a refused `CatalogError` if the
 * file's header or index is impossible.
 *
 * Source: unknownbrackets/maxcso `README_CSO.md`, `README_ZSO.md`: 64-bit image size at 8, block
 * size at 16, version at 20, index shift at 21. Then follows the index: one 32-bit position per
 * block, and one for the end. The top bit of a position says that the block is stored uncompressed.
 * In CSO version 2, the top bit says that the block is packed with LZ4 instead. A block there is
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
    // The last entry of the index is the end of the data. Because of padding, the entry may be
    // beyond the end of the file, so limit the length to the file's size.
    const length = Math.min((next % FLAG) * 2 ** shift, file.size) - offset;
    // Read at most two blocks' length, because the rest can only be padding.
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
 * Inflates a block. Some packers omit the mark that ends a deflate stream, so a stream without it
 * is accepted. The caller checks the length of the output.
 */
function inflate(packed: Buffer, size: number): Buffer {
  return inflateRawSync(packed, {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: LARGEST_BLOCK,
    chunkSize: Math.max(size, constants.Z_MIN_CHUNK),
  });
}
