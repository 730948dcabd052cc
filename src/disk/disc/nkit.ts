import type { Draft } from '../draft.ts';

const AT = 0x200;
const END = 0x214;

/**
 * Adds to the draft what an NKit states about the original disc: its CRC-32 and size. An NKit
 * leaves out parts of the disc, mostly padding, and these are not restored.
 *
 * Source: wiki.gbatemp.net "NKit/NKitFormat", big-endian: `NKIT v01` at 0x200, then the CRC-32 of
 * the original disc. The size of the original disc is at 0x210; for a Wii disc, it is divided by 4.
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
