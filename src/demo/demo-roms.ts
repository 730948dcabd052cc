import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DemoRelease } from './demo-releases.ts';

/**
 * A ROM image, described as in a DAT: name, size in bytes, and checksums in lower-case hexadecimal.
 */
export interface DemoRom {
  readonly name: string;
  readonly size: number;
  readonly crc: string;
  readonly md5: string;
  readonly sha1: string;
  /** Content of the image. Null for disc images, which would be too large. */
  readonly bytes: Uint8Array | null;
}

/** Returns the invented image of a release. The same arguments always give the same image. */
export function romOf({ name, platform }: DemoRelease, index: number): DemoRom {
  const isCartridge = Object.keys(platform.serials).length === 0;
  const bytes = Buffer.alloc(131_072 << (index % 3), `${name}\n`);
  const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return {
    name: `${name}.${platform.ending}`,
    size: isCartridge ? bytes.length : 250_000_384 + index * 19_353_600,
    crc: crc32(bytes).toString(16).padStart(8, '0'),
    md5: hash('md5'),
    sha1: hash('sha1'),
    bytes: isCartridge ? bytes : null,
  };
}
