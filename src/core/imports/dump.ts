import { createHash } from 'node:crypto';
import type { DatRom } from './dat.ts';

/**
 * The content of a row's ROMs, regardless of their names: one key per kind of hash, "" if a ROM
 * lacks it. Two rows are the same dump when their sha1 keys are equal. If one side lacks it, their
 * md5 keys are compared, else their crc keys, which include the sizes (decisions.md, Imports). Rows
 * without any key are the same only by name.
 */
export interface Dump {
  readonly sha1: string;
  readonly md5: string;
  readonly crc: string;
}

export function dumpOf(roms: readonly DatRom[]): Dump {
  return {
    sha1: keyOf(roms.map((rom) => rom.sha1)),
    md5: keyOf(roms.map((rom) => rom.md5)),
    crc: keyOf(
      roms.map((rom) => (rom.crc32 && rom.size !== null ? `${rom.crc32}-${rom.size}` : '')),
    ),
  };
}

/**
 * Returns the hash of a single ROM, or a hash over the sorted hashes of several, so that their
 * order does not matter.
 */
function keyOf(hashes: string[]): string {
  const [only] = hashes;
  if (only === undefined || hashes.includes('')) return '';
  if (hashes.length === 1) return only;
  return createHash('sha1').update(hashes.sort().join()).digest('hex');
}

/** Returns the strongest key of a dump, for grouping rows of one DAT; "" for none. */
export function strongestKey(dump: Dump): string {
  return dump.sha1 || dump.md5 || dump.crc;
}

/** Returns a hash over all fields of the ROMs, in their order, to detect any change. */
export function romsDigest(roms: readonly DatRom[]): string {
  const texts = roms.map(({ name, size, crc32, md5, sha1, serial }) => {
    return [name, size, crc32, md5, sha1, serial];
  });
  return createHash('sha1').update(JSON.stringify(texts)).digest('base64url');
}
