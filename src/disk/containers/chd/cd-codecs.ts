import { rebuildSector } from './ecc.ts';
import { unpackFlac } from './flac/flac.ts';
import type { Unpack } from './unpack.ts';

/** Sizes, in bytes, of the two parts of a CD frame: the sector and its subchannels. */
const SECTOR = 2352;
const SUBCHANNELS = 96;
export const FRAME = SECTOR + SUBCHANNELS;

/** Unpacks the same part of each frame (all sectors or all subchannels) to `size` bytes. */
type UnpackPart = (packed: Buffer, size: number) => Buffer;

/**
 * Returns a codec for CD frames. The packed data contains:
 * - one bit per frame, rounded up to whole bytes;
 * - the length of the first stream, in 2 or 3 bytes, big-endian;
 * - the first stream, with the sectors;
 * - the second stream, with the subchannels.
 *
 * A set bit means that the sync pattern and the error correction of the frame were left out. The
 * codec calculates both again.
 *
 * Source: mamedev/mame `src/lib/util/chdcodec.cpp`.
 */
export function cdCodec(unpackSectors: UnpackPart, unpackSubchannels: UnpackPart): Unpack {
  const subchannelsOf = memoizeLast(unpackSubchannels);
  return (packed, size, into) => {
    const frames = Math.floor(size / FRAME);
    const bitmap = Math.ceil(frames / 8);
    const start = bitmap + (size < 65536 ? 2 : 3);
    const end = start + packed.readUIntBE(bitmap, start - bitmap);
    const sectors = unpackSectors(packed.subarray(start, end), frames * SECTOR);
    const subchannels = subchannelsOf(packed.subarray(end), frames * SUBCHANNELS);
    join(sectors, subchannels, into);
    for (let i = 0; i < frames; i += 1) {
      if (((packed[i >> 3] as number) & (1 << (i & 7))) !== 0) rebuildSector(into, i * FRAME);
    }
    return into;
  };
}

/**
 * Returns a codec for CD frames with audio. The packed data contains the samples as FLAC, followed
 * by the stream of the subchannels.
 */
export function cdFlacCodec(unpackSubchannels: UnpackPart): Unpack {
  const subchannelsOf = memoizeLast(unpackSubchannels);
  return (packed, size, into) => {
    const frames = Math.floor(size / FRAME);
    const { bytes, used } = unpackFlac(packed, frames * SECTOR);
    join(bytes, subchannelsOf(packed.subarray(used), frames * SUBCHANNELS), into);
    return into;
  };
}

/**
 * Returns `unpack` with a cache of the last result. Subchannels are usually empty, so their packed
 * bytes are the same in every hunk.
 */
function memoizeLast(unpack: UnpackPart): UnpackPart {
  let packedBefore: Buffer | null = null;
  let before = Buffer.alloc(0);
  return (packed, size) => {
    if (packedBefore?.equals(packed) && before.length === size) return before;
    before = Buffer.from(unpack(packed, size));
    packedBefore = Buffer.from(packed);
    return before;
  };
}

function join(sectors: Buffer, subchannels: Buffer, into: Buffer): void {
  if (sectors.length + subchannels.length < into.length) {
    throw new RangeError('frames that are cut');
  }
  for (let frame = 0, at = 0; at < into.length; frame += 1, at += FRAME) {
    sectors.copy(into, at, frame * SECTOR, (frame + 1) * SECTOR);
    subchannels.copy(into, at + SECTOR, frame * SUBCHANNELS, (frame + 1) * SUBCHANNELS);
  }
}
