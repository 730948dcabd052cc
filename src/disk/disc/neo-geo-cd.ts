import type { Draft } from '../draft.ts';
import { discText } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';

const PROGRAM_HEAD = 0x10a;

/**
 * Identifies a Neo Geo CD. Returns false if the disc is not a Neo Geo CD. `IPL.TXT` lists the files
 * that the console loads. The first program in this list states the number of the game, which is
 * printed as `NGCD-055`. Discs for Europe and America have an E printed after the number, but the
 * program does not state the E.
 *
 * Source: wiki.neogeodev.org "IPL.TXT", "68k program header". The program contains `NEO-GEO` at
 * 0x100. The number is at 0x108, with one decimal digit in each half byte.
 */
export async function readNeoGeoCd(volume: IsoVolume, draft: Draft): Promise<boolean> {
  const ipl = await volume.read('IPL.TXT', 2048);
  if (ipl === null) return false;
  const program = /^[^\S\r\n]*([A-Z0-9_]{1,8}\.PRG)\s*,/im.exec(ipl.toString('latin1'))?.[1];
  const head = program ? await volume.read(program, PROGRAM_HEAD) : null;
  if (head === null) return false;
  if (head.length < PROGRAM_HEAD || head.toString('latin1', 0x100, 0x107) !== 'NEO-GEO')
    return false;
  draft.disc = 'neo-geo-cd';
  const number = head.readUInt16BE(0x108).toString(16);
  draft.evidence['program number'] = number;
  if (/^\d{1,4}$/.test(number)) draft.serial = `NGCD-${number.padStart(3, '0')}`;
  const title = discText(Buffer.from(volume.volumeId, 'latin1'));
  if (title !== '') draft.title = title;
  return true;
}
