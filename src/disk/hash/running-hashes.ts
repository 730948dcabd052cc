import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ImageHashes } from '../../core/library/library-file.ts';

/** Calculates size, CRC-32, MD5 and SHA-1 of a stream. If `hasMd5` is false, the MD5 is "". */
export class RunningHashes {
  readonly #md5: Hash | null;
  readonly #sha1 = createHash('sha1');
  #crc32 = 0;
  #size = 0;

  constructor(hasMd5 = true) {
    this.#md5 = hasMd5 ? createHash('md5') : null;
  }

  update(piece: Uint8Array): void {
    this.#crc32 = crc32(piece, this.#crc32);
    this.#md5?.update(piece);
    this.#sha1.update(piece);
    this.#size += piece.length;
  }

  /** Returns the hashes of all pieces. Must be called only once. */
  digest(): ImageHashes {
    return {
      size: this.#size,
      crc32: this.#crc32.toString(16).padStart(8, '0'),
      md5: this.#md5?.digest('hex') ?? '',
      sha1: this.#sha1.digest('hex'),
    };
  }
}
