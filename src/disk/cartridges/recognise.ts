import type { CartridgeFormat } from '../../core/library/identity.ts';

/** What `cartridgeFormat` needs of a file's start. */
export const HEAD = 1024;

/** Larger dumps of consoles whose copiers wrote headers were never made. */
const MOST_COPIED = 64 * 1024 * 1024;
const LEAST_COPIED = 8 * 1024;

/** How a dump of a cartridge is stored; null for one that is listed as it is, and for anything else. */
export function cartridgeFormat(head: Buffer, size: number): CartridgeFormat | null {
  return markedFormat(head) ?? copiedFormat(head, size);
}

/**
 * As `cartridgeFormat`, where the first bytes tell it. The marks are those of the formats' descriptions: iNES, NES 2.0
 * and FDS in the NESdev wiki, LNX in Handy's, A78 in that of the 7800 emulators, N64 by its first word, NDS and GBA in
 * GBATEK.
 */
export function markedFormat(head: Buffer): CartridgeFormat | null {
  if (head.length < 16) return null;
  const text = head.toString('latin1', 0, 16);
  if (text.startsWith('NES\x1a')) return 'ines';
  if (text.startsWith('FDS\x1a')) return 'fds';
  if (text.startsWith('LYNX\0')) return 'lnx';
  if (text.startsWith('ATARI7800', 1)) return 'a78';
  if (isNintendo64(head)) return 'n64';
  if (isNds(head)) return 'nds';
  if (isGba(head)) return 'gba';
  return null;
}

/** As `cartridgeFormat`, of what is nothing else: copiers wrote a header of 512 bytes, most of them without a mark. */
export function copiedFormat(head: Buffer, size: number): CartridgeFormat | null {
  if (size % 1024 !== 512 || size > MOST_COPIED || size < LEAST_COPIED) return null;
  return isInterleaved(head, size) ? 'smd' : 'copier';
}

/** The first word of a dump, whose order of bytes it shows: as the console reads it, swapped in pairs, reversed. */
const nintendo64Words = ['80371240', '37804012', '40123780'];

function isNintendo64(head: Buffer): boolean {
  return nintendo64Words.includes(head.toString('hex', 0, 4));
}

/** The logo's checksum is the same on every cartridge. */
function isNds(head: Buffer): boolean {
  return head.length >= 0x160 && head.readUInt16LE(0x15c) === 0xcf56 && head.readUInt8(0x14) <= 12;
}

function isGba(head: Buffer): boolean {
  if (head.length < 0xc0 || head[0xb2] !== 0x96) return false;
  let sum = 0x19;
  for (const byte of head.subarray(0xa0, 0xbd)) sum += byte;
  return head[0xbd] === (-sum & 0xff);
}

/** The mark of the Super Magic Drive, or the console's name cut in two as its blocks of 16 KiB do it. */
function isInterleaved(head: Buffer, size: number): boolean {
  if (size % 0x4000 !== 512) return false;
  const hasMark = head.toString('hex', 8, 11) === 'aabb06';
  return hasMark || head.toString('latin1', 512 + 0x80, 512 + 0x82) === 'EA';
}
