import { checkRange, type ImageBytes } from '../image-bytes.ts';

/** An image of which blocks were left out. */
export interface SparseImage extends ImageBytes {
  /** Why the image as it was cannot be had, as a sentence about "it"; undefined when every byte of it is there. */
  readonly unrestorable: string | undefined;
}

/** GameCube, Wii, and Wii with two layers. */
const DISC_SIZES = [1_459_978_240, 4_699_979_776, 8_511_160_320];

/**
 * A disc image in blocks, each where `places` says in the file, or left out (null): those read as zeros. Up to where the
 * last block ends in the file the image is whole when none is left out; a disc that ends within the last block is as long
 * as discs are.
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

function reason(left: number, size: number, blockSize: number): string | undefined {
  if (left > 0) return `it leaves out ${left} blocks of the disc, which cannot be restored`;
  if (DISC_SIZES.includes(size) || size % blockSize !== 0) return undefined;
  return 'it does not say where the disc ends';
}
