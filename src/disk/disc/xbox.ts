import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, sliceOf } from '../image-bytes.ts';
import { readXbe, readXex } from './xbox-programs.ts';

const SECTOR = 2048;
const VOLUME = 0x10000;
const MAGIC = 'MICROSOFT*XBOX*MEDIA';
/**
 * Offsets at which the game's partition may start: in an image of it alone, then after the film of
 * newer Xbox 360, of Xbox 360, and of Xbox discs. The order is ascending, because a stream is read
 * forwards.
 */
const PARTITIONS = [0, 0x02080000, 0x0fd90000, 0x18300000];
const MOST_FOLDER = 0x10000;

/**
 * Reads an Xbox or Xbox 360 disc, from the game's partition alone or the whole disc; returns false
 * when it is not one.
 *
 * Source: xboxdevwiki.net "Xbox Game Disc", all little-endian: magic at 0x10000 of the partition,
 * followed by the root folder's sector and its size. The folder's entries follow one another in
 * steps of 4 bytes within a sector. An entry has its sector at 4, its size at 8, the length of the
 * name at 13, then the name.
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

/** Returns where a file starts; null when it is not in the folder. */
function fileIn(folder: Buffer, name: string): number | null {
  for (let at = 0; at + 14 <= folder.length; ) {
    const length = folder[at + 13] ?? 0;
    // The rest of a sector is filled with ones.
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
