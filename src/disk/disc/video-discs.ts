import type { Draft } from '../draft.ts';
import { discText } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';

/**
 * Sets the draft's title to the volume's name. Adds the ids of a DVD-Video or Blu-ray to the
 * evidence. Does not set the kind of disc: no list contains these ids, and releases on such discs
 * may be listed under any platform.
 *
 * Sources:
 * - DVD-Video: `VIDEO_TS.IFO` begins with `DVDVIDEO-VMG` and contains the provider's id at 0x40.
 * - Blu-ray: `id.bdmv` contains the organisation's id at 0x28, which is not read, and the disc's id
 *   at 0x2C (libbluray `bdid_parse.c`).
 */
export async function readVideoDisc(
  volume: Pick<IsoVolume, 'volumeId' | 'read'>,
  draft: Draft,
): Promise<void> {
  if (volume.volumeId !== '') draft.title = draft.evidence['volume id'] = volume.volumeId;
  const ifo = await volume.read('VIDEO_TS/VIDEO_TS.IFO', 0x60);
  if (ifo?.toString('latin1', 0, 12) === 'DVDVIDEO-VMG') {
    draft.evidence['disc content'] = 'DVD-Video';
    const provider = discText(ifo.subarray(0x40, 0x60));
    if (provider !== '') draft.evidence['DVD provider id'] = provider;
  }
  const bdmv = await volume.read('CERTIFICATE/id.bdmv', 0x3c);
  if (bdmv?.toString('latin1', 0, 4) === 'BDID' && bdmv.length === 0x3c) {
    draft.evidence['disc content'] = 'Blu-ray';
    draft.evidence['Blu-ray disc id'] = bdmv.toString('hex', 0x2c, 0x3c);
  }
}
