import { checkRange, type ImageBytes, MAX_READ, sliceOf } from '../../image-bytes.ts';
import { WITH_SUBCHANNELS } from './raw-sectors.ts';

/**
 * The position of sectors in a file. The sectors start at `offset`, `stride` bytes apart. Only the
 * first `sector` bytes of each stride belong to the image. `frames` is the number of sectors.
 */
export interface Strided {
  readonly offset: number;
  readonly frames: number;
  readonly stride: number;
  readonly sector: number;
}

/** Returns an image without the subchannels that follow each sector. */
export function withoutSubchannels(file: ImageBytes): ImageBytes {
  const frames = Math.floor(file.size / WITH_SUBCHANNELS);
  return strided(file, { offset: 0, frames, stride: WITH_SUBCHANNELS, sector: 2352 });
}

/** Returns an image of the first `sector` bytes of each stride, back to back. */
export function strided(file: ImageBytes, { offset, frames, stride, sector }: Strided): ImageBytes {
  if (stride === sector) return sliceOf(file, offset, frames * sector);
  const size = frames * sector;
  const perRead = Math.floor(MAX_READ / stride);
  return {
    size,
    async read(from, length) {
      checkRange({ size }, from, length);
      const parts: Buffer[] = [];
      const end = Math.ceil((from + length) / sector);
      for (let at = Math.floor(from / sector); at < end; at += perRead) {
        const count = Math.min(perRead, end - at);
        const sectors = await file.read(offset + at * stride, count * stride);
        for (let i = 0; i < count; i += 1) {
          parts.push(sectors.subarray(i * stride, i * stride + sector));
        }
      }
      const skipped = from % sector;
      return Buffer.concat(parts).subarray(skipped, skipped + length);
    },
  };
}
