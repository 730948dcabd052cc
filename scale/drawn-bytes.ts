import { createCipheriv, createHash } from 'node:crypto';

const blockBytes = 16;

/**
 * Pseudorandom bytes of a virtual file, derived from a seed. Any part can be computed
 * independently.
 */
export class DrawnBytes {
  readonly #key: Buffer;

  constructor(seed: number) {
    this.#key = createHash('sha256').update(String(seed)).digest();
  }

  /** Returns the bytes of a part. Throws if `start` is not a multiple of 16 bytes. */
  part(start: number, length: number): Buffer {
    if (start % blockBytes !== 0) throw new Error('a part begins with a block');
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64BE(BigInt(start / blockBytes), 8);
    return createCipheriv('aes-256-ctr', this.#key, counter).update(Buffer.alloc(length));
  }
}
