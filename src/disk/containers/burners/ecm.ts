import { refused } from '../../../core/shared/errors.ts';
import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import { checkRange, type ImageBytes } from '../../image-bytes.ts';
import { readAhead } from '../../read-ahead.ts';
import { rebuildSector } from '../chd/ecc.ts';
import { openRaw } from './raw-sectors.ts';

/** The polynomial x^32 + x^31 + x^16 + x^15 + x^4 + x^3 + x + 1, in reversed bit order. */
const POLYNOMIAL = 0xd8018001;

const table = new Int32Array(256).map((_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  return rest;
});

const HEADER = 4;
const SECTOR = 2352;
/**
 * Maximum number of sectors, and of plain bytes, that are unpacked at a time. A block may contain
 * far more sectors or bytes.
 */
const SECTORS_AT_ONCE = 64;
const BYTES_AT_ONCE = 128 * 1024;
/**
 * Number of bytes that an item takes in the file, by the kind of block. An item is a plain byte or
 * a sector.
 */
const PACKED = [1, 3 + 2048, 4 + 2048, 4 + 2324] as const;
const END = 0xffffffff;
/**
 * Size of the pieces that are read ahead to identify a disc, in bytes. `openEcm` requests only a
 * few bytes at a time.
 */
const READ_AHEAD = 64 * 1024;

/**
 * Yields the image in an ECM in pieces, in order. An ECM leaves out the error detection and
 * correction of each sector, so both are calculated again. Throws a `CatalogError` of kind
 * `refused` if the file is truncated or its checksum differs.
 *
 * Source: the ECM format as Neill Corlett's "Cmdpack" describes it. A file consists of blocks. Each
 * block starts with a number. The lowest two bits of the number are the kind. The other bits are
 * the number of items in the block, minus one. The first byte contains five of these other bits,
 * and each further byte contains seven. The kinds are:
 * - 0: plain bytes;
 * - 1: sectors of mode 1, stored as address and data;
 * - 2 and 3: sectors of mode 2 form 1 and form 2, stored as subheader and data. The image does not
 *   contain the 16 bytes before the subheader.
 *
 * The EDC of the whole image follows the last block.
 */
export async function* ecmPieces(file: ImageBytes): AsyncGenerator<Buffer> {
  let at = HEADER;
  let sum = 0;
  const take = async (bytes: number) => {
    const part = await file.read(at, bytes);
    at += bytes;
    return part;
  };
  for (;;) {
    const { kind, count } = await nextBlock(take);
    if (count === 0) break;
    const max = kind === 0 ? BYTES_AT_ONCE : SECTORS_AT_ONCE;
    for (let left = count; left > 0; left -= max) {
      const some = Math.min(left, max);
      const piece = unpacked(kind, await take(some * PACKED[kind]), some);
      sum = edc(piece, sum);
      yield piece;
    }
  }
  if ((await take(4)).readUInt32LE() !== sum >>> 0)
    throw refused('it is damaged: its checksum differs');
}

/**
 * Opens the image in an ECM for a few reads near the start of the image. A read unpacks everything
 * from the end of the previous read to the end of the requested bytes. A read at an earlier offset
 * unpacks the image from the start again.
 */
export function openEcm(file: ImageBytes): ImageBytes {
  let pieces = ecmPieces(file);
  let start = 0;
  let piece: Buffer = Buffer.alloc(0);
  const size = Number.MAX_SAFE_INTEGER;
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      if (offset < start) {
        pieces = ecmPieces(file);
        [start, piece] = [0, Buffer.alloc(0)];
      }
      const out: Buffer[] = [];
      for (let from = offset, left = length; left > 0; ) {
        if (from < start + piece.length) {
          const part = piece.subarray(from - start, from - start + left);
          out.push(part);
          from += part.length;
          left -= part.length;
          continue;
        }
        start += piece.length;
        const next = await pieces.next();
        if (next.done) throw refused('it is cut, or points behind its end');
        piece = next.value;
      }
      return Buffer.concat(out);
    },
  };
}

/**
 * Opens the disc in an ECM as an image, for a few reads near the start (see `openEcm`). A raw image
 * is opened with sectors of 2048 bytes. Any other image is opened unchanged.
 */
export async function openEcmDisc(file: ImageBytes): Promise<ImageBytes> {
  const image = openEcm(readAhead(file, READ_AHEAD));
  return (await openRaw(image)) ?? image;
}

/**
 * Identifies the disc in an ECM. Does not set the size of the image, because the size is unknown
 * until the image is unpacked.
 */
export async function readEcm(file: ImageBytes, draft: Draft): Promise<void> {
  await readDisc(await openEcmDisc(file), draft);
}

type Kind = 0 | 1 | 2 | 3;

/** Reads the start of a block. `count` is 0 after the last block. */
async function nextBlock(
  take: (bytes: number) => Promise<Buffer>,
): Promise<{ kind: Kind; count: number }> {
  let byte = (await take(1))[0] as number;
  const kind = (byte & 3) as Kind;
  let number = (byte >> 2) & 31;
  for (let factor = 32; byte >= 128; factor *= 128) {
    if (factor > 2 ** 32) throw refused('it is damaged: a block is too long');
    byte = (await take(1))[0] as number;
    number += (byte & 127) * factor;
  }
  if (number > END) throw refused('it is damaged: a block is too long');
  return { kind, count: number === END ? 0 : number + 1 };
}

function unpacked(kind: Kind, packed: Buffer, count: number): Buffer {
  if (kind === 0) return packed;
  const length = kind === 1 ? SECTOR : SECTOR - 16;
  const out = Buffer.alloc(count * length);
  const sector = Buffer.alloc(SECTOR);
  for (let i = 0; i < count; i += 1) {
    const from = packed.subarray(i * PACKED[kind], (i + 1) * PACKED[kind]);
    sector.fill(0);
    if (kind === 1) {
      from.copy(sector, 12, 0, 3);
      sector[15] = 1;
      from.copy(sector, 16, 3);
      rebuildSync(sector);
      sector.writeUInt32LE(edc(sector.subarray(0, 2064)) >>> 0, 2064);
      rebuildSector(sector);
      sector.copy(out, i * length);
      continue;
    }
    sector[15] = 2;
    from.copy(sector, 16, 0, 4);
    from.copy(sector, 20, 0, 4);
    from.copy(sector, 24, 4);
    const end = kind === 2 ? 2072 : 2348;
    sector.writeUInt32LE(edc(sector.subarray(16, end)) >>> 0, end);
    if (kind === 2) rebuildSector(sector);
    sector.copy(out, i * length, 16);
  }
  return out;
}

function rebuildSync(sector: Buffer): void {
  sector.fill(255, 1, 11);
}

/**
 * Calculates the error detection code (EDC) of CD sectors, as a signed 32-bit number. To continue a
 * calculation, pass the EDC of the preceding bytes as `before`.
 *
 * Source: ECMA-130, section 14.3.
 */
function edc(bytes: Uint8Array, before = 0): number {
  let sum = before;
  for (let i = 0; i < bytes.length; i += 1) {
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[i] as number)) & 255] as number);
  }
  return sum;
}
