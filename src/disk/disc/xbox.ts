import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, sliceOf } from '../image-bytes.ts';
import { readXbe, readXex } from './xbox-programs.ts';

const SECTOR = 2048;
const VOLUME = 0x10000;
const MAGIC = 'MICROSOFT*XBOX*MEDIA';
/**
 * Offsets at which the game's partition may start, in bytes. The first offset is for an image of
 * the partition alone. The other offsets are for images that start with a video partition: of newer
 * Xbox 360 discs, of older Xbox 360 discs, and of Xbox discs. The offsets are in ascending order,
 * because a stream can only be read forwards.
 */
const PARTITIONS = [0, 0x02080000, 0x0fd90000, 0x18300000];
const MAX_FOLDER_BYTES = 0x10000;

/**
 * Identifies an Xbox or Xbox 360 disc. Returns false if the disc is neither. The image may contain
 * the whole disc, or only the game's partition.
 *
 * Source: xboxdevwiki.net "Xbox Game Disc". All numbers are little-endian. The partition has these
 * fields:
 * - 20 characters at 0x10000: magic;
 * - u32 at 0x10014: sector of the root folder;
 * - u32 at 0x10018: size of the root folder, in bytes.
 *
 * Each entry of the folder starts at a multiple of 4 bytes and does not cross sectors. An entry has
 * these fields:
 * - u32 at 4: sector of the file;
 * - u32 at 8: size of the file;
 * - u8 at 13: length of the name;
 * - the name, at 14.
 */
export async function readXbox(image: ImageBytes, draft: Draft): Promise<boolean> {
  for (const start of PARTITIONS) {
    if (start + VOLUME + 28 > image.size) continue;
    const volume = await image.read(start + VOLUME, 28);
    if (volume.toString('latin1', 0, MAGIC.length) !== MAGIC) continue;
    const partition = sliceOf(image, start, image.size - start);
    const size = Math.min(volume.readUInt32LE(24), MAX_FOLDER_BYTES);
    const folder = await readUpTo(partition, volume.readUInt32LE(20) * SECTOR, size);
    const xex = fileIn(folder, 'default.xex');
    const program = xex ?? fileIn(folder, 'default.xbe');
    draft.disc = xex === null ? 'xbox' : 'xbox-360';
    if (program === null) return true;
    const file = sliceOf(partition, program, partition.size - program);
    await (xex === null ? readXbe(file, draft) : readXex(file, draft));
    return true;
  }
  return false;
}

/**
 * Returns the offset of a file in the partition, or null if the folder does not contain the file.
 */
function fileIn(folder: Buffer, name: string): number | null {
  for (let at = 0; at + 14 <= folder.length; ) {
    const length = folder[at + 13] ?? 0;
    // The rest of a sector after the last entry is filled with 0xFF, so continue in the next
    // sector.
    if (folder.readUInt16LE(at) === 0xffff || length === 0) {
      at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      continue;
    }
    if (folder.toString('latin1', at + 14, at + 14 + length).toLowerCase() === name) {
      return folder.readUInt32LE(at + 4) * SECTOR;
    }
    at = Math.ceil((at + 14 + length) / 4) * 4;
  }
  return null;
}
