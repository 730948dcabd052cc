import type { CartridgeFormat } from '../../core/library/containers.ts';

/** Number of bytes that `cartridgeFormat` needs from the start of a file. */
export const HEAD = 1024;

/**
 * Maximum size, in bytes, of a dump that may have a copier's header. Consoles with such copiers
 * have no larger dumps.
 */
const MAX_COPIER_SIZE = 64 * 1024 * 1024;
const MIN_COPIER_SIZE = 8 * 1024;

/**
 * Returns the format in which a cartridge dump is stored. Returns null if DATs list the dump
 * unchanged, or if the file is not a dump.
 */
export function cartridgeFormat(head: Buffer, size: number): CartridgeFormat | null {
  return formatByMagic(head) ?? copierFormat(head, size);
}

/**
 * Like `cartridgeFormat`, but recognises a format only by its header: by a magic number, or by the
 * checksums in the header of an NDS or GBA dump. The magic number of the N64 is the first word of
 * the dump. Sources: the NESdev wiki (iNES, NES 2.0, FDS), the Handy emulator (LNX), the 7800
 * emulators (A78), GBATEK (NDS, GBA).
 */
export function formatByMagic(head: Buffer): CartridgeFormat | null {
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
 * Like `cartridgeFormat`, but for files that `formatByMagic` does not recognise. Copiers wrote a
 * header of 512 bytes, usually without a magic number. Such a header is recognised by the size of
 * the file.
 */
export function copierFormat(head: Buffer, size: number): CartridgeFormat | null {
  if (size % 1024 !== 512 || size > MAX_COPIER_SIZE || size < MIN_COPIER_SIZE) return null;
  return isInterleaved(head, size) ? 'smd' : 'copier';
}

/**
 * The possible first words of an N64 dump: in the console's byte order, with the bytes of each pair
 * swapped, and with all four bytes reversed.
 */
const nintendo64Words = ['80371240', '37804012', '40123780'];

function isNintendo64(head: Buffer): boolean {
  return nintendo64Words.includes(head.toString('hex', 0, 4));
}

/**
 * Returns true if a dump is for the Nintendo DS. Every cartridge contains the same logo, so the
 * logo's checksum at 0x15C is always the same.
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
 * Returns true if a dump is interleaved. An interleaved dump has the Super Magic Drive's magic
 * number, or "EA" at the offset of the console's name. "EA" are the letters of "SEGA" at odd
 * addresses.
 */
function isInterleaved(head: Buffer, size: number): boolean {
  if (size % 0x4000 !== 512) return false;
  const hasMark = head.toString('hex', 8, 11) === 'aabb06';
  return hasMark || head.toString('latin1', 512 + 0x80, 512 + 0x82) === 'EA';
}
