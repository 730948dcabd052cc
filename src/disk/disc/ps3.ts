import { noEdition } from '../../core/library/identity.ts';
import { type Draft, recordProblem } from '../draft.ts';
import { discText, sonySerial } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';
import { MAX_SFO_BYTES, parseParamSfo } from './param-sfo.ts';

const SFB_ENTRIES = 0x20;
const SFB_BYTES = 0x600;

/**
 * Identifies a PlayStation 3 disc. Returns false if the disc is not a PlayStation 3 disc.
 * `PS3_DISC.SFB` is never encrypted. On an encrypted image, `PARAM.SFO` is encrypted and ignored.
 *
 * Source: psdevwiki.com "PS3_DISC.SFB" and "PARAM.SFO". `PS3_DISC.SFB` starts with the magic
 * `.SFB`. The entries start at 0x20 and have 32 bytes each: key (16 bytes), offset and size (u32
 * each, big-endian). An example of TITLE_ID is `BLES-00585`. `PARAM.SFO` contains TITLE_ID without
 * the hyphen, TITLE and VERSION.
 */
export async function readPs3(volume: IsoVolume, draft: Draft): Promise<boolean> {
  const sfb = await volume.read('PS3_DISC.SFB', SFB_BYTES);
  const hasGame = (await volume.find('PS3_GAME/PARAM.SFO')) !== null;
  if (sfb?.toString('latin1', 0, 4) !== '.SFB' && !hasGame) return false;
  draft.disc = 'ps3';
  if (sfb) draft.serial = sonySerial(sfbText(sfb, 'TITLE_ID'));
  if (draft.serial !== null) draft.evidence['PS3_DISC.SFB TITLE_ID'] = draft.serial;
  const sfo = await volume.read('PS3_GAME/PARAM.SFO', MAX_SFO_BYTES);
  // On an encrypted image, `PARAM.SFO` contains random bytes instead of the magic.
  if (sfo?.toString('latin1', 0, 4) !== '\0PSF') return true;
  await recordProblem(draft, async () => {
    const texts = parseParamSfo(sfo);
    for (const key of ['TITLE_ID', 'TITLE', 'VERSION']) {
      const text = texts.get(key);
      if (text) draft.evidence[`PARAM.SFO ${key}`] = text;
    }
    draft.serial ??= sonySerial(texts.get('TITLE_ID') ?? '');
    draft.title = texts.get('TITLE') || null;
    const version = texts.get('VERSION') ?? '';
    if (/^\d{2}\.\d{2}$/.test(version)) draft.edition = { ...noEdition, version };
  });
  return true;
}

function sfbText(sfb: Buffer, key: string): string {
  for (let at = SFB_ENTRIES; at + 32 <= Math.min(sfb.length, 0x200); at += 32) {
    if (discText(sfb.subarray(at, at + 16)) !== key) continue;
    const start = sfb.readUInt32BE(at + 16);
    return discText(sfb.subarray(start, start + Math.min(64, sfb.readUInt32BE(at + 20))));
  }
  return '';
}
