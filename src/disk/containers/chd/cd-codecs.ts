import { rebuildSector } from './ecc.ts';
import { unpackFlac } from './flac.ts';
import type { Unpack } from './unpack.ts';

/** Sizes in bytes of the two parts of a CD's frame: the sector, then its subchannels. */
const SECTOR = 2352;
const SUBCHANNELS = 96;
export const FRAME = SECTOR + SUBCHANNELS;

/** Unpacks one part of each frame, either all sectors or all subchannels, to `size` bytes. */
type UnpackPart = (packed: Buffer, size: number) => Buffer;

/**
 * Returns a codec for frames of a CD. The sectors are packed in one stream, the subchannels in a
 * second. Before the streams there is one bit per frame, and the length of the first stream. A set
 * bit means that the frame's sync pattern and error correction were left out, so they are
 * calculated again.
 *
 * Source: mamedev/mame `src/lib/util/chdcodec.cpp`.
 */
export function cdCodec(unpackSectors: UnpackPart, unpackSubchannels: UnpackPart): Unpack {
  const subchannelsOf = remembering(unpackSubchannels);
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
 * Returns a codec for frames of a CD with audio. The samples are packed as FLAC, followed by the
 * stream of the subchannels.
 */
export function cdFlacCodec(unpackSubchannels: UnpackPart): Unpack {
  const subchannelsOf = remembering(unpackSubchannels);
  return (packed, size, into) => {
    const frames = Math.floor(size / FRAME);
    const { bytes, used } = unpackFlac(packed, frames * SECTOR);
    join(bytes, subchannelsOf(packed.subarray(used), frames * SUBCHANNELS), into);
    return into;
  };
}

/**
 * Caches the last result of `unpack`. Subchannels are usually empty, so their packed bytes are the
 * same in every hunk.
 */
function remembering(unpack: UnpackPart): UnpackPart {
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
