import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import { checkRange, type ImageBytes } from '../../image-bytes.ts';

/** A disc image from a file that may lack some blocks. */
export interface SparseImage extends ImageBytes {
  /**
   * Reason why the original image cannot be restored, as a sentence in which "it" is the file.
   * Undefined if every byte is present.
   */
  readonly unrestorable: string | undefined;
}

/** Sizes of GameCube, Wii, and two-layer Wii discs, in bytes. */
const DISC_SIZES = [1_459_978_240, 4_699_979_776, 8_511_160_320];

/**
 * Returns a disc image that consists of blocks. `places` contains the offset of each block in the
 * file, or null for an omitted block. Omitted blocks read as zeros. The image ends with the last
 * block in the file. If a disc of a known size would end within the last block, the image has that
 * disc's size.
 */
export function sparseImage(
  file: ImageBytes,
  { blockSize, places }: { blockSize: number; places: readonly (number | null)[] },
): SparseImage {
  const count = places.findLastIndex((place) => place !== null) + 1;
  const last = places[count - 1] ?? 0;
  const end = (count - 1) * blockSize + Math.min(blockSize, file.size - last);
  const whole = DISC_SIZES.find((bytes) => bytes <= end && bytes > end - blockSize) ?? end;
  const size = Math.max(0, whole);
  const left = places.slice(0, count).filter((place) => place === null).length;
  return {
    size,
    unrestorable: reason(left, size, blockSize),
    async read(offset, length) {
      checkRange({ size }, offset, length);
      const bytes = Buffer.alloc(length);
      for (let done = 0; done < length; ) {
        const block = Math.floor((offset + done) / blockSize);
        const into = offset + done - block * blockSize;
        const some = Math.min(blockSize - into, length - done);
        const place = places[block] ?? null;
        if (place !== null) (await file.read(place + into, some)).copy(bytes, done);
        done += some;
      }
      return bytes;
    },
  };
}

/**
 * Identifies a disc in an image that may lack blocks. Sets the size of the disc only if the image
 * is complete.
 */
export async function readSparse(disc: SparseImage, draft: Draft): Promise<void> {
  draft.unrestorable = disc.unrestorable;
  if (disc.unrestorable === undefined) draft.imageSize = disc.size;
  await readDisc(disc, draft);
}

function reason(left: number, size: number, blockSize: number): string | undefined {
  if (left > 0) return `it leaves out ${left} blocks of the disc, which cannot be restored`;
  if (DISC_SIZES.includes(size) || size % blockSize !== 0) return undefined;
  return 'it does not say where the disc ends';
}
