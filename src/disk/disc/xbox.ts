import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, sliceOf } from '../image-bytes.ts';
import { readXbe, readXex } from './xbox-programs.ts';

const SECTOR = 2048;
const VOLUME = 0x10000;
const MAGIC = 'MICROSOFT*XBOX*MEDIA';
/**
 * Offsets at which the game's partition may start. The first is for an image of the partition
 * alone. The others are for images of newer Xbox 360, older Xbox 360, and Xbox discs, which start
 * with a video partition. The offsets are in ascending order, because a stream can only be read
 * forwards.
 */
const PARTITIONS = [0, 0x02080000, 0x0fd90000, 0x18300000];
const MOST_FOLDER = 0x10000;

/**
 * Identifies an Xbox or Xbox 360 disc; returns false if the disc is neither. The image may be the
 * whole disc, or the game's partition alone.
 *
 * Source: xboxdevwiki.net "Xbox Game Disc", all little-endian: magic at 0x10000 of the partition,
 * then the sector and the size of the root folder. Each entry of the folder starts at a multiple of
 * 4 bytes, and does not cross sectors. An entry has the file's sector at 4, its size at 8, the
 * length of its name at 13, then the name.
 */
export async function readXbox(image: ImageBytes, draft: Draft): Promise<boolean> {
  for (const start of PARTITIONS) {
    if (start + VOLUME + 28 > image.size) continue;
    const volume = await image.read(start + VOLUME, 28);
    if (volume.toString('latin1', 0, MAGIC.length) !== MAGIC) continue;
    const partition = sliceOf(image, start, image.size - start);
    const size = Math.min(volume.readUInt32LE(24), MOST_FOLDER);
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

/** Returns the offset of a file in the partition; null if the folder does not contain the file. */
function fileIn(folder: Buffer, name: string): number | null {
  for (let at = 0; at + 14 <= folder.length; ) {
    const length = folder[at + 13] ?? 0;
    // The rest of a sector after its last entry is filled with 0xFF, so go to the next sector.
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
