import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';

const SECTOR = 2352;
/** Size of the pregap that a track may begin with: two seconds, in bytes. */
const PREGAP = 150 * SECTOR;
const MARKS = ['ATARI APPROVED DATA HEADER ATRI ', 'TARA IPARPVODED TA AEHDAREA RT I'];

/**
 * Returns whether a track identifies a Jaguar CD, and records the kind of disc. All tracks of a
 * Jaguar CD are stored as audio. The first track of the second session begins with a header. The
 * header does not name the game, so the draft gets neither serial nor title.
 *
 * Source: RetroAchievements/rcheevos `src/rhash/hash_disc.c`, `rc_hash_jaguar_cd`. The mark is in
 * the first sector, at varying places, after 64 bytes of `ATRI`. In images with swapped pairs of
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
