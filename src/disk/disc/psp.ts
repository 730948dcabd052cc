import type { DiscKind } from '../../core/library/discs.ts';
import { type Draft, recordProblem } from '../draft.ts';
import { discText, sonySerial } from './disc-text.ts';
import type { IsoVolume } from './iso9660.ts';
import { MAX_SFO_BYTES, parseParamSfo } from './param-sfo.ts';

const kinds: readonly { systemId: string; disc: DiscKind; folder: string }[] = [
  { systemId: 'PSP GAME', disc: 'psp', folder: 'PSP_GAME' },
  { systemId: 'UMD VIDEO', disc: 'umd-video', folder: 'UMD_VIDEO' },
  { systemId: 'UMD AUDIO', disc: 'umd-audio', folder: 'UMD_AUDIO' },
];

/**
 * Identifies a PSP game, UMD Video or UMD Music disc. Returns false for other discs. The volume's
 * system id states the kind of disc. If a tool has overwritten the system id, the folder on the
 * disc determines the kind. The game's folder is tried first, because a disc may contain both a
 * game's folder and a video's folder.
 *
 * Source: GerbilSoft/rom-properties `PSP.cpp`. `UMD_DATA.BIN` contains fields that are separated by
 * `|`. The first field is the id of a game (`ULUS-10041`), or a text similar to the title of a
 * video. `PARAM.SFO` contains the DISC_ID without the hyphen, and the TITLE.
 */
export async function readUmd(volume: IsoVolume, draft: Draft): Promise<boolean> {
  const kind = await kindOf(volume);
  if (kind === undefined) return false;
  draft.disc = kind.disc;
  draft.evidence['volume system id'] = volume.systemId;
  // On a truncated image, UMD_DATA.BIN may be unreadable while PARAM.SFO is readable. A failure
  // here must therefore not end the function.
  await recordProblem(draft, async () => {
    const umdData = await volume.read('UMD_DATA.BIN', 256);
    if (umdData) readUmdData(umdData, draft);
  });
  const sfo = await volume.read(`${kind.folder}/PARAM.SFO`, MAX_SFO_BYTES);
  if (sfo) readParamSfo(sfo, draft);
  return true;
}

/**
 * Adds the version from a PARAM.SFO to the draft. Also adds the serial and the title if the draft
 * lacks them. The serial is the DISC_ID of a game. The DISC_ID of a video is ignored, because it is
 * not the serial of a release.
 */
export function readParamSfo(sfo: Buffer, draft: Draft): void {
  const texts = parseParamSfo(sfo);
  for (const key of ['DISC_ID', 'TITLE', 'CATEGORY', 'DISC_VERSION']) {
    const text = texts.get(key);
    if (text) draft.evidence[`PARAM.SFO ${key}`] = text;
  }
  if (draft.disc === 'psp' || draft.disc === 'psx') {
    draft.serial ??= sonySerial(texts.get('DISC_ID') ?? '');
  }
  const version = texts.get('DISC_VERSION') ?? '';
  if (/^\d\.\d{2}$/.test(version)) draft.edition = { ...draft.edition, version };
  draft.title ??= texts.get('TITLE') || null;
}

function readUmdData(umdData: Buffer, draft: Draft): void {
  const id = discText(umdData).split('|')[0]?.trim() ?? '';
  if (id !== '') draft.evidence['UMD_DATA.BIN'] = id;
  if (draft.disc === 'psp') draft.serial = sonySerial(id);
  else draft.title = id || null;
}

async function kindOf(volume: IsoVolume) {
  const bySystem = kinds.find((kind) => kind.systemId === volume.systemId);
  if (bySystem) return bySystem;
  for (const kind of kinds) if (await volume.find(`${kind.folder}/PARAM.SFO`)) return kind;
  return undefined;
}
