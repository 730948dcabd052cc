import { createHash } from 'node:crypto';
import type { DatRom } from './dat.ts';

/**
 * Identifies the content of a row's ROMs, regardless of their names. There is one key for each kind
 * of hash; the key is "" if any ROM lacks this hash.
 *
 * Two rows have the same dump if their keys are equal for the strongest kind that both rows have.
 * The kinds are sha1, then md5, then crc, which includes the sizes (docs/api/decisions.md,
 * Imports). Rows without a common kind have the same dump only if their names are equal.
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
 * Returns a single hash unchanged. For several hashes, returns a hash of the sorted list, so that
 * their order does not matter. Returns "" if a hash is missing.
 */
function keyOf(hashes: string[]): string {
  const [only] = hashes;
  if (only === undefined || hashes.includes('')) return '';
  if (hashes.length === 1) return only;
  return createHash('sha1').update(hashes.sort().join()).digest('hex');
}

/**
 * Returns the strongest key of a dump; "" if there is none. Rows of a DAT are grouped by this key.
 */
export function strongestKey(dump: Dump): string {
  return dump.sha1 || dump.md5 || dump.crc;
}

/**
 * Returns a hash of all fields of the ROMs, in the order of the ROMs. A change in any field changes
 * the hash.
 */
export function romsDigest(roms: readonly DatRom[]): string {
  const texts = roms.map(({ name, size, crc32, md5, sha1, serial }) => {
    return [name, size, crc32, md5, sha1, serial];
  });
  return createHash('sha1').update(JSON.stringify(texts)).digest('base64url');
}
