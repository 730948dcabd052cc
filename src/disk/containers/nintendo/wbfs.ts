import { refused } from '../../../core/shared/errors.ts';
import type { Draft } from '../../draft.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { FileContext } from '../container-format.ts';
import { readSparse, type SparseImage, sparseImage } from './sparse-image.ts';
import { hasNextPart } from './wbfs-part.ts';

const HEADER = 12;
const DISC_HEADER = 0x100;
/** Size of a Wii disc with two layers, in bytes. A disc's table has entries for this size. */
const DISC_BYTES = 286_864 * 0x8000;
const SMALLEST_BLOCK_SHIFT = 15;
const LARGEST_BLOCK_SHIFT = 26;

/**
 * Opens the first disc in a WBFS file. Does not read the later files (`.wbf1`) of a split WBFS.
 * Throws a `CatalogError` of kind `refused` if the header is impossible.
 *
 * Source: Wiimm/wiimms-iso-tools `libwbfs.h`. The header has these big-endian fields:
 * - u32 at 4: number of sectors;
 * - u8 at 8: log2 of the sector size;
 * - u8 at 9: log2 of the block size;
 * - from 12 on: a byte for each disc, 0 if there is no disc.
 *
 * Sector 1 contains the description of the first disc: a copy of the disc's first 256 bytes,
 * followed by a u16 for each block. The u16 is the index of the block in the file. 0 means that the
 * block was omitted.
 */
export async function openWbfs(file: ImageBytes): Promise<SparseImage> {
  const header = await file.read(0, HEADER + 1);
  const [sectorShift = 0, blockShift = 0] = header.subarray(8, 10);
  if (sectorShift < 9 || sectorShift > 16 || header[HEADER] === 0) {
    throw refused('its header is damaged, or it holds no disc');
  }
  if (blockShift < SMALLEST_BLOCK_SHIFT || blockShift > LARGEST_BLOCK_SHIFT) {
    throw refused(`it has blocks of 2^${blockShift} bytes, which are not read`);
  }
  const blockSize = 2 ** blockShift;
  const count = Math.ceil(DISC_BYTES / blockSize);
  const table = await file.read(2 ** sectorShift + DISC_HEADER, 2 * count);
  const places = Array.from({ length: count }, (_, i) => {
    const block = table.readUInt16BE(2 * i);
    return block === 0 ? null : block * blockSize;
  });
  const image = sparseImage(file, { blockSize, places });
  const stated = header.readUInt32BE(4) * 2 ** sectorShift;
  const isSplit = stated > file.size && places.some((place) => (place ?? 0) >= file.size);
  return isSplit ? { ...image, unrestorable: 'it goes on in another file' } : image;
}

/** Identifies the disc in a WBFS file, and checks whether a second file of the WBFS exists. */
export async function readWbfs(
  file: ImageBytes,
  draft: Draft,
  { path }: FileContext,
): Promise<void> {
  await readWbfsAlone(file, draft);
  if (await hasNextPart(path)) draft.unrestorable ??= 'it goes on in another file';
}

/** Identifies the disc in a WBFS file without looking for further files. */
export async function readWbfsAlone(file: ImageBytes, draft: Draft): Promise<void> {
  await readSparse(await openWbfs(file), draft);
}
