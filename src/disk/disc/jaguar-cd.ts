import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';

const SECTOR = 2352;
/** Size in bytes of the pregap of two seconds that a track may begin with. */
const PREGAP = 150 * SECTOR;
const MARKS = ['ATARI APPROVED DATA HEADER ATRI ', 'TARA IPARPVODED TA AEHDAREA RT I'];

/**
 * Reads a track of a Jaguar CD; returns false when the track does not identify one. All tracks of
 * these discs are audio to a drive. The first track of the second session begins with a header that
 * names no game, so there is neither serial nor title.
 *
 * Source: RetroAchievements/rcheevos `src/rhash/hash_disc.c`, `rc_hash_jaguar_cd`. The mark is in
 * the first sector, at varying places, after 64 bytes of `ATRI`. If pairs of bytes are swapped, so
 * is the mark.
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
