import type { CartridgeFormat } from '../../core/library/identity.ts';

/** Number of bytes that `cartridgeFormat` needs from the start of a file. */
export const HEAD = 1024;

/**
 * Maximum size of a dump with a copier's header, in bytes. Consoles whose copiers wrote headers
 * have no larger dumps.
 */
const MOST_COPIED = 64 * 1024 * 1024;
const LEAST_COPIED = 8 * 1024;

/**
 * Returns the format in which a cartridge dump is stored. Returns null for a dump that DATs list
 * unchanged, and for any file that is not a dump.
 */
export function cartridgeFormat(head: Buffer, size: number): CartridgeFormat | null {
  return markedFormat(head) ?? copiedFormat(head, size);
}

/**
 * Like `cartridgeFormat`, but recognises only formats that have a mark in their first bytes. The
 * N64's mark is the first word of the dump. Sources: the NESdev wiki (iNES, NES 2.0, FDS), the
 * Handy emulator (LNX), the 7800 emulators (A78), GBATEK (NDS, GBA).
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

/**
 * Like `cartridgeFormat`, for files without a known mark. Copiers wrote a header of 512 bytes,
 * usually without a mark, so the file's size decides.
 */
export function copiedFormat(head: Buffer, size: number): CartridgeFormat | null {
  if (size % 1024 !== 512 || size > MOST_COPIED || size < LEAST_COPIED) return null;
  return isInterleaved(head, size) ? 'smd' : 'copier';
}

/**
 * The possible first words of an N64 dump, one for each byte order: the console's own order, pairs
 * of bytes swapped, all four bytes reversed.
 */
const nintendo64Words = ['80371240', '37804012', '40123780'];

function isNintendo64(head: Buffer): boolean {
  return nintendo64Words.includes(head.toString('hex', 0, 4));
}

/**
 * Returns whether a dump is for the Nintendo DS. Every cartridge has the same logo, so the logo's
 * checksum at 0x15C is always the same.
 */
function isNds(head: Buffer): boolean {
  return head.length >= 0x160 && head.readUInt16LE(0x15c) === 0xcf56 && head.readUInt8(0x14) <= 12;
}

function isGba(head: Buffer): boolean {
  if (head.length < 0xc0 || head[0xb2] !== 0x96) return false;
  let sum = 0x19;
  for (const byte of head.subarray(0xa0, 0xbd)) sum += byte;
  return head[0xbd] === (-sum & 0xff);
}

/**
 * Returns whether a dump is interleaved. An interleaved dump has the Super Magic Drive's mark, or
 * those letters of the console's name "SEGA" that are at odd addresses ("EA").
 */
function isInterleaved(head: Buffer, size: number): boolean {
  if (size % 0x4000 !== 512) return false;
  const hasMark = head.toString('hex', 8, 11) === 'aabb06';
  return hasMark || head.toString('latin1', 512 + 0x80, 512 + 0x82) === 'EA';
}
