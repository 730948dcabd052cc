import type { Edition, WorldArea } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { discText } from './disc-text.ts';

const AT = 0x200;

const END = 0x214;

const WII = 0x5d1c9ea3;
const GAMECUBE = 0xc2339f3d;

/**
 * Identifies a GameCube or Wii disc by its first bytes. Returns false if the disc is neither.
 * `head` must have at least 0x60 bytes. With 0x220 bytes, an NKit is also detected.
 *
 * Source: wiibrew.org "Wii disc", hitmen.c02.at "GCM". The header has these fields:
 * - 6 characters at 0: id6, with the country as the fourth character;
 * - u8 at 6: disc number;
 * - u8 at 7: revision;
 * - u32, big-endian, at 0x18: magic of the Wii;
 * - u32, big-endian, at 0x1C: magic of the GameCube;
 * - text at 0x20: title; Japanese titles are in Shift JIS.
 *
 * For the countries and the revisions of Korean discs, see dolphin-emu/dolphin
 * `Source/Core/DiscIO/Enums.cpp`.
 */
export function readNintendo(head: Buffer, draft: Draft): boolean {
  if (head.length < 0x60) return false;
  const isWii = head.readUInt32BE(0x18) === WII;
  if (!isWii && head.readUInt32BE(0x1c) !== GAMECUBE) return false;
  draft.disc = isWii ? 'wii' : 'gamecube';
  const id = head.toString('latin1', 0, 6);
  if (/^[A-Z0-9]{6}$/.test(id)) draft.serial = draft.evidence['disc header id6'] = id;
  const title = discText(head.subarray(0x20, 0x60), id[3] === 'J' ? 'shift-jis' : 'ascii');
  if (title !== '') draft.title = draft.evidence['disc header title'] = title;
  draft.evidence['disc header disc number'] = String(head[6]);
  draft.evidence['disc header revision'] = String(head[7]);
  draft.edition = editionOf(head, draft.disc, id[3] ?? '');
  readNkit(head, draft);
  return true;
}

/**
 * First revision number of Korean GameCube discs. Korean GameCube discs have the same ids as
 * American discs, so only the revision shows the country.
 */
const KOREAN_REVISION = 0x30;

const areas: Readonly<Record<string, WorldArea>> = {
  J: 'japan',
  E: 'america',
  ...Object.fromEntries([...'DFHIPRSU'].map((letter) => [letter, 'europe'])),
  ...Object.fromEntries([...'KQT'].map((letter) => [letter, 'korea'])),
};

function editionOf(head: Buffer, disc: 'gamecube' | 'wii', country: string): Edition {
  const [number = 0, revision = 0] = head.subarray(6, 8);
  const isKorean = disc === 'gamecube' && revision >= KOREAN_REVISION;
  const area = isKorean ? 'korea' : areas[country];
  return {
    disc: number + 1,
    revision: isKorean ? revision - KOREAN_REVISION : revision,
    version: null,
    areas: area ? [area] : [],
  };
}

/**
 * Adds the CRC-32 and the size of the original disc, as stated by an NKit, to the draft. An NKit
 * omits parts of the disc, mostly padding. The omitted parts are not restored.
 *
 * Source: wiki.gbatemp.net "NKit/NKitFormat". An NKit has these big-endian fields:
 * - 8 characters at 0x200: `NKIT v01`;
 * - u32 at 0x208: CRC-32 of the original disc;
 * - u32 at 0x210: size of the original disc; for a Wii disc, divided by 4.
 */
function readNkit(head: Buffer, draft: Draft): void {
  if (head.length < END || head.toString('latin1', AT, AT + 4) !== 'NKIT') return;
  const version = head.toString('latin1', AT + 4, AT + 8);
  draft.unrestorable = 'it is an NKit, which leaves out what can be made again';
  draft.imageSize = null;
  if (draft.container === 'unknown') draft.container = 'nkit';
  if (version !== ' v01') return;
  const crc32 = head.toString('hex', AT + 8, AT + 12);
  const size = head.readUInt32BE(AT + 0x10) * (draft.disc === 'wii' ? 4 : 1);
  draft.statedImage = { crc32, size };
  draft.imageSize = size;
  draft.evidence['NKit CRC-32'] = crc32;
}
