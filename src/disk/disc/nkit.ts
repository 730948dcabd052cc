import type { Draft } from '../draft.ts';

const AT = 0x200;
const END = 0x214;

/**
 * Adds the CRC-32 and the size of the original disc, as stated by an NKit, to the draft. An NKit
 * omits parts of the disc, mostly padding. The omitted parts are not restored.
 *
 * Source: wiki.gbatemp.net "NKit/NKitFormat". An NKit has these big-endian fields:
 * - 8 characters at 0x200: `NKIT v01`;
 * - u32 at 0x208: CRC-32 of the original disc;
 * - u32 at 0x210: size of the original disc; for a Wii disc, divided by 4.
 */
export function readNkit(head: Buffer, draft: Draft): void {
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
