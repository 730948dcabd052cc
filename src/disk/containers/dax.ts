import { constants, inflateSync } from 'node:zlib';
import { refused } from '../../core/shared/errors.ts';
import type { ImageBytes } from '../image-bytes.ts';
import { blockImage } from './block-image.ts';

const HEADER = 32;
const FRAME = 8192;
/**
 * Maximum number of areas that are stored uncompressed. The format's own packer creates at most
 * 192.
 */
const MAX_AREAS = 4096;

/**
 * Opens the image inside a DAX. Throws a `CatalogError` of kind `refused` if the header or the
 * tables are impossible.
 *
 * Source: Dark_AleX's DAX Creator 0.3 and unknownbrackets/maxcso `src/dax.h`. The header has these
 * little-endian fields:
 * - u32 at 4: size of the image;
 * - u32 at 8: version;
 * - u32 at 12, in version 1: number of areas that are stored uncompressed.
 *
 * These tables start at 32:
 * - a u32 for each frame of 8 KiB: offset of the packed frame in the file;
 * - a u16 for each frame: length of the packed frame;
 * - in version 1, two u32 for each area: the first frame and the number of frames.
 *
 * Frames outside the areas are zlib streams.
 */
export async function openDax(file: ImageBytes): Promise<ImageBytes> {
  const header = await file.read(0, HEADER);
  const size = header.readUInt32LE(4);
  const version = header.readUInt32LE(8);
  const areaCount = version === 1 ? header.readUInt32LE(12) : 0;
  const frames = Math.ceil(size / FRAME);
  const areasAt = HEADER + 6 * frames;
  if (version > 1 || areaCount > MAX_AREAS) {
    throw refused(`its header is damaged or of a version that is not known (${version})`);
  }
  if (areasAt + 8 * areaCount > file.size) {
    throw refused(`it is cut: it says to hold ${size} bytes, but its tables are not whole`);
  }
  const areas = await file.read(areasAt, 8 * areaCount);

  function isStored(frame: number): boolean {
    for (let at = 0; at < areas.length; at += 8) {
      const into = frame - areas.readUInt32LE(at);
      if (into >= 0 && into < areas.readUInt32LE(at + 4)) return true;
    }
    return false;
  }

  return blockImage(file, {
    size,
    blockSize: FRAME,
    async locate(first, count) {
      const offsets = await file.read(HEADER + 4 * first, 4 * count);
      const lengths = await file.read(HEADER + 4 * frames + 2 * first, 2 * count);
      return Array.from({ length: count }, (_, i) => {
        const offset = offsets.readUInt32LE(4 * i);
        if (!isStored(first + i)) {
          return { offset, length: lengths.readUInt16LE(2 * i), unpack: inflate };
        }
        // The last frame may be shorter than 8 KiB. If the last frame is uncompressed, it has no
        // padding, so read only the rest of the image.
        const rest = Math.min(FRAME, size - (first + i) * FRAME);
        return { offset, length: rest, unpack: (packed: Buffer) => packed };
      });
    },
  });
}

function inflate(packed: Buffer): Buffer {
  return inflateSync(packed, {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: FRAME,
    chunkSize: FRAME,
  });
}
