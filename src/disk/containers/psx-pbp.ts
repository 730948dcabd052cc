import { inflateRawSync } from 'node:zlib';
import { refused } from '../../core/shared/errors.ts';
import { openIso } from '../disc/iso9660.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, sliceOf } from '../image-bytes.ts';
import { blockImage, type PackedBlock } from './block-image.ts';
import { openRaw } from './burners/raw-sectors.ts';
import { pbpSections, readPbp } from './pbp.ts';

const SECTOR = 2352;
const BLOCK = 16 * SECTOR;
const ENCRYPTED_AT = 0x400;
const DATA_POSITION_AT = 0xbfc;
const INDEX_AT = 0x4000;
const INDEX_ENTRY = 32;
/**
 * Maximum number of blocks. The index has no room for more, because the data begins at 0x100000.
 */
const MAX_BLOCKS = 32_256;

/**
 * Opens the disc in an EBOOT.PBP that contains one PlayStation disc. The image has sectors of 2352
 * bytes. The volume descriptor states the number of sectors. The blocks may contain more sectors,
 * because packers fill the last block of 16 sectors with zeros.
 *
 * Returns null for a PSP game, for several discs and for an encrypted disc. Also returns null if
 * the disc has no file system, or fewer sectors than stated. Throws a `CatalogError` of kind
 * `refused` if the file is truncated or damaged.
 *
 * Source: stenzek/duckstation `util/cd_image_pbp.cpp` and psx-spx "CDROM Disk Images PBP (Sony)".
 * DATA.PSAR has these parts (numbers are little-endian):
 * - at 0: `PSISOIMG0000`;
 * - at 0x400: `\0PGD`, if the disc is encrypted;
 * - u32 at 0xBFC: offset of the data;
 * - from 0x4000 on: the index, an entry of 32 bytes for each block.
 *
 * An entry starts with the offset of the block in the data (u32) and the size of the block (u16).
 * The size is 0 after the last block. A block is stored uncompressed if its size is that of an
 * unpacked block. Other blocks are deflated.
 */
export async function openPsxDisc(file: ImageBytes): Promise<ImageBytes | null> {
  const section = await pbpSections(file);
  const psar = section('DATA.PSAR');
  if ((await readUpTo(psar, 0, 12)).toString('latin1') !== 'PSISOIMG0000') return null;
  if ((await psar.read(ENCRYPTED_AT, 4)).toString('latin1') === '\0PGD') return null;
  const dataAt = (await psar.read(DATA_POSITION_AT, 4)).readUInt32LE();

  async function blocks(first: number, count: number): Promise<PackedBlock[]> {
    const index = await psar.read(INDEX_AT + first * INDEX_ENTRY, count * INDEX_ENTRY);
    return Array.from({ length: count }, (_, i) => {
      const offset = dataAt + index.readUInt32LE(i * INDEX_ENTRY);
      const length = index.readUInt16LE(i * INDEX_ENTRY + 4);
      return { offset, length, unpack: length === BLOCK ? stored : inflate };
    });
  }

  const padded = blockImage(psar, {
    size: MAX_BLOCKS * BLOCK,
    blockSize: BLOCK,
    locate: blocks,
  });
  const disc = await openRaw(padded);
  const volume = disc && (await openIso(disc));
  if (!volume || volume.size === 0 || volume.size > disc.size) return null;
  const size = (volume.size / 2048) * SECTOR;
  const [last] = await blocks(Math.ceil(size / BLOCK) - 1, 1);
  if (!last || last.length === 0) return null;
  if (last.offset + last.length > psar.size) throw refused('it is cut: sectors are missing');
  return sliceOf(padded, 0, size);
}

/**
 * Identifies an EBOOT.PBP (see `readPbp`). Sets the size of the image if the PBP contains one
 * PlayStation disc.
 */
export async function readPbpAndDisc(file: ImageBytes, draft: Draft): Promise<void> {
  await readPbp(file, draft);
  draft.imageSize = (await openPsxDisc(file))?.size ?? null;
}

const stored = (packed: Buffer) => packed;

function inflate(packed: Buffer, size: number): Buffer {
  return inflateRawSync(packed, { maxOutputLength: BLOCK, chunkSize: size });
}
