import type { Draft } from '../draft.ts';
import type { ImageBytes } from '../image-bytes.ts';
import { discText } from './disc-text.ts';

const SECTOR = 2048;
const PC_ENGINE = 'PC Engine CD-ROM SYSTEM';
const CD_I = 'CD-I ';

/**
 * Identifies a 3DO, PC Engine CD or CD-i disc by the header of its first data track. Returns false
 * if the disc is of another kind. These headers do not state a serial. The title is the title in
 * the header or the name of the volume.
 *
 * Sources:
 * - 3DO: the label of the Opera file system, with record type 1, five bytes 5A, version 1, and the
 *   volume's name at 0x28.
 * - PC Engine: Hudson's IPL information in sector 1, with the system's name at 0x20 and the title
 *   at 0x6A.
 * - CD-i: the Green Book's disc label in sector 16, with the layout of the volume descriptor in ISO
 *   9660.
 */
export async function readCdConsole(
  image: ImageBytes,
  draft: Draft,
  head: Buffer,
): Promise<boolean> {
  if (head.toString('latin1', 0, 7) === '\x01ZZZZZ\x01') {
    draft.disc = '3do';
    setTitle(head.subarray(0x28, 0x48), draft);
    return true;
  }
  if (image.size < 17 * SECTOR) return false;
  const ipl = await image.read(SECTOR, 0x80);
  if (ipl.toString('latin1', 0x20, 0x20 + PC_ENGINE.length) === PC_ENGINE) {
    draft.disc = 'pc-engine-cd';
    setTitle(ipl.subarray(0x6a, 0x80), draft);
    return true;
  }
  const label = await image.read(16 * SECTOR, 72);
  if (label.toString('latin1', 1, 1 + CD_I.length) !== CD_I) return false;
  draft.disc = 'cd-i';
  setTitle(label.subarray(40, 72), draft);
  return true;
}

/**
 * Sets the draft's title from a header field. Ignores the title "CD-ROM", which many discs have.
 */
function setTitle(field: Buffer, draft: Draft): void {
  const title = discText(field, 'shift-jis');
  if (title === '' || /^cd-?rom$/i.test(title)) return;
  draft.title = draft.evidence['disc header title'] = title;
}
