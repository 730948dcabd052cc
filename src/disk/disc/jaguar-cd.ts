import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';

const SECTOR = 2352;
/** Of a track that begins with its pregap of two seconds. */
const PREGAP = 150 * SECTOR;
const MARKS = ['ATARI APPROVED DATA HEADER ATRI ', 'TARA IPARPVODED TA AEHDAREA RT I'];

/**
 * Reads a track of a Jaguar CD; false when it is none that tells. All tracks of these discs are sound to a drive; the first
 * one of the second session begins with a header that names no game: there is neither serial nor title.
 *
 * Source: RetroAchievements/rcheevos `src/rhash/hash_disc.c`, `rc_hash_jaguar_cd`: the mark stands in the first sector, not
 * at one place in all, behind 64 bytes of `ATRI`; where two bytes are swapped, so is the mark.
 */
export async function readJaguarCd(image: ImageBytes, draft: Draft): Promise<boolean> {
  if (image.size === 0 || image.size % SECTOR !== 0) return false;
  for (const at of [0, PREGAP]) {
    if (at >= image.size) break;
    const sector = (await readUpTo(image, at, SECTOR)).toString('latin1');
    if (!MARKS.some((mark) => sector.includes(mark))) continue;
    draft.disc = 'jaguar-cd';
    if (draft.container === 'unknown') draft.container = 'raw';
    return true;
  }
  return false;
}
