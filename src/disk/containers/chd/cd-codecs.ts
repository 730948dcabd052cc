import { rebuildSector } from './ecc.ts';
import { unpackFlac } from './flac.ts';
import type { Unpack } from './unpack.ts';

/** Of a frame: its sector, then its subchannels. */
const SECTOR = 2352;
const SUBCHANNELS = 96;
export const FRAME = SECTOR + SUBCHANNELS;

/**
 * A codec for frames of a CD: all sectors in one stream, all subchannels in another. Before them stand a bit per frame,
 * set where the sync pattern and the error correction were left out, and the length of the first stream.
 *
 * Source: mamedev/mame `src/lib/util/chdcodec.cpp`.
 */
export function cdCodec(unpackSectors: Unpack, unpackSubchannels: Unpack): Unpack {
  const subchannelsOf = remembering(unpackSubchannels);
  return (packed, size) => {
    const frames = Math.floor(size / FRAME);
    const bitmap = Math.ceil(frames / 8);
    const start = bitmap + (size < 65536 ? 2 : 3);
    const end = start + packed.readUIntBE(bitmap, start - bitmap);
    const sectors = unpackSectors(packed.subarray(start, end), frames * SECTOR);
    const subchannels = subchannelsOf(packed.subarray(end), frames * SUBCHANNELS);
    for (let i = 0; i < frames; i += 1) {
      if (((packed[i >> 3] as number) & (1 << (i & 7))) === 0) continue;
      rebuildSector(sectors.subarray(i * SECTOR, (i + 1) * SECTOR));
    }
    return joined(sectors, subchannels, size);
  };
}

/** The codec for frames with sound: FLAC frames, and behind them the subchannels. */
export function cdFlacCodec(unpackSubchannels: Unpack): Unpack {
  const subchannelsOf = remembering(unpackSubchannels);
  return (packed, size) => {
    const frames = Math.floor(size / FRAME);
    const { bytes, used } = unpackFlac(packed, frames * SECTOR);
    return joined(bytes, subchannelsOf(packed.subarray(used), frames * SUBCHANNELS), size);
  };
}

/** Subchannels are mostly empty, and so the same in every hunk. */
function remembering(unpack: Unpack): Unpack {
  let packedBefore: Buffer | null = null;
  let before = Buffer.alloc(0);
  return (packed, size) => {
    if (packedBefore?.equals(packed) && before.length === size) return before;
    before = Buffer.from(unpack(packed, size));
    packedBefore = Buffer.from(packed);
    return before;
  };
}

function joined(sectors: Buffer, subchannels: Buffer, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  if (sectors.length + subchannels.length < size) throw new RangeError('frames that are cut');
  for (let frame = 0, at = 0; at < size; frame += 1, at += FRAME) {
    bytes.set(sectors.subarray(frame * SECTOR, (frame + 1) * SECTOR), at);
    bytes.set(subchannels.subarray(frame * SUBCHANNELS, (frame + 1) * SUBCHANNELS), at + SECTOR);
  }
  return bytes;
}
