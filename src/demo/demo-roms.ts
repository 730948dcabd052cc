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
  readonly kind: 'cartridge' | 'disc';
  /** Content of the image. Null for large disc images, about a third of all disc images. */
  readonly bytes: Uint8Array | null;
}

/** Returns the invented image of a release. The same arguments always give the same image. */
export function romOf({ name, platform }: DemoRelease, index: number): DemoRom {
  const kind = Object.keys(platform.serials).length === 0 ? 'cartridge' : 'disc';
  const isLarge = kind === 'disc' && index % 3 === 0;
  const length = kind === 'disc' && !isLarge ? 1_048_576 << (index % 2) : 131_072 << (index % 3);
  const bytes = Buffer.alloc(length, `${name}\n`);
  const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return {
    name: `${name}.${platform.ending}`,
    size: isLarge ? 250_000_384 + index * 19_353_600 : bytes.length,
    crc: crc32(bytes).toString(16).padStart(8, '0'),
    md5: hash('md5'),
    sha1: hash('sha1'),
    kind,
    bytes: isLarge ? null : bytes,
  };
}
