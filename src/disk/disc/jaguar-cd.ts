import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';

const SECTOR = 2352;
/** Size of the pregap with which a track may begin: two seconds, in bytes. */
const PREGAP = 150 * SECTOR;
const MARKS = ['ATARI APPROVED DATA HEADER ATRI ', 'TARA IPARPVODED TA AEHDAREA RT I'];

/**
 * Identifies a Jaguar CD by one of its tracks. Returns false if the track does not identify a
 * Jaguar CD. All tracks of a Jaguar CD are stored as audio. The first track of the second session
 * begins with a header. The header does not contain the name of the game, so the draft gets neither
 * serial nor title.
 *
 * Source: RetroAchievements/rcheevos `src/rhash/hash_disc.c`, `rc_hash_jaguar_cd`. The mark is in
 * the first sector, at a varying offset, after 64 bytes of `ATRI`. In images with swapped pairs of
 * bytes, the mark is swapped too.
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
