import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ImageHashes } from '../../src/core/library/library-file.ts';

/** Returns the expected size and hashes of these bytes. */
export function hashesOf(bytes: Buffer): ImageHashes {
  return {
    size: bytes.length,
    crc32: crc32(bytes).toString(16).padStart(8, '0'),
    md5: createHash('md5').update(bytes).digest('hex'),
    sha1: createHash('sha1').update(bytes).digest('hex'),
  };
}
