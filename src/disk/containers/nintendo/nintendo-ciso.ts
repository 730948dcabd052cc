import { refused } from '../../../core/shared/errors.ts';
import type { Draft } from '../../draft.ts';
import { type ImageBytes, readUpTo } from '../../image-bytes.ts';
import { readSparse, type SparseImage, sparseImage } from './sparse-image.ts';

const HEADER = 0x8000;
const MAP = 8;
const LARGEST_BLOCK = 256 * 1024 * 1024;

/**
 * Returns true if a file is a CISO of GameCube or Wii. A CSO of the PSP has the same magic, `CISO`,
 * followed by the size of the header. In a CISO of GameCube or Wii, the magic is followed by a
 * block size of at least 32 KiB. A map of zeros and ones follows. Source: Dolphin `CISOBlob.h`.
 */
export function isNintendoCiso(head: Buffer): boolean {
  return (
    head.length >= 24 &&
    head.toString('latin1', 0, 4) === 'CISO' &&
    head.readUInt32LE(4) >= 0x8000 &&
    head.readUInt32LE(4) % 0x8000 === 0 &&
    head.subarray(MAP, 24).every((byte) => byte <= 1)
  );
}

/**
 * Opens the disc in a CISO of GameCube or Wii. Throws a `CatalogError` of kind `refused` if the
 * header is impossible.
 *
 * Source: Dolphin `CISOBlob.h`. The block size is a little-endian u32 at 4. The map from 8 to
 * 0x8000 contains a byte for each block: 1 if the block is in the file, otherwise 0. The blocks
 * follow.
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

/** Identifies the disc in a CISO of GameCube or Wii. */
export async function readNintendoCiso(file: ImageBytes, draft: Draft): Promise<void> {
  await readSparse(await openNintendoCiso(file), draft);
}
