import { refused } from '../../core/shared/errors.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { type SparseImage, sparseImage } from './sparse-image.ts';

const HEADER = 0x8000;
const MAP = 8;
const LARGEST_BLOCK = 256 * 1024 * 1024;

/**
 * Returns whether an image is in the other CISO format, of GameCube or Wii, which has the same
 * magic as PSP's. It has a block size of 32 KiB or more in place of the header's size, then a map
 * of zeros and ones. Source: Dolphin `CISOBlob.h`.
 */
export function isNintendoCiso(head: Buffer): boolean {
  return (
    head.toString('latin1', 0, 4) === 'CISO' &&
    head.readUInt32LE(4) >= 0x8000 &&
    head.readUInt32LE(4) % 0x8000 === 0 &&
    head.subarray(MAP, 24).every((byte) => byte <= 1)
  );
}

/**
 * Opens the disc in a CISO of GameCube or Wii. Throws a refused `CatalogError` when its header is
 * impossible.
 *
 * Source: Dolphin `CISOBlob.h`: block size at 4, little-endian; from 8 to 0x8000 a byte per block,
 * 1 if it is present; then the blocks that are present.
 */
export async function openNintendoCiso(file: ImageBytes): Promise<SparseImage> {
  const header = await readUpTo(file, 0, HEADER);
  const blockSize = header.readUInt32LE(4);
  const map = header.subarray(MAP);
  if (header.length < HEADER) throw refused('it is cut: its header is not whole');
  if (blockSize > LARGEST_BLOCK || map.some((byte) => byte > 1)) {
    throw refused('its header is damaged');
  }
  let next = HEADER;
  const places = Array.from(map, (byte) => {
    if (byte === 0) return null;
    next += blockSize;
    return next - blockSize;
  });
  const needed = next - blockSize;
  if (next > HEADER && needed >= file.size) {
    throw refused(`it is cut: it has ${file.size} of at least ${needed} bytes`);
  }
  return sparseImage(file, { blockSize, places });
}
