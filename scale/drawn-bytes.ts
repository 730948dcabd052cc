import { createCipheriv, createHash } from 'node:crypto';

const blockBytes = 16;

/** Bytes that chance draws from a seed, of a file that lies nowhere: any part of them can be had at any time. */
export class DrawnBytes {
  readonly #key: Buffer;

  constructor(seed: number) {
    this.#key = createHash('sha256').update(String(seed)).digest();
  }

  /** Those of a part; it begins where a block of 16 bytes does. */
  part(start: number, length: number): Buffer {
    if (start % blockBytes !== 0) throw new Error('a part begins with a block');
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64BE(BigInt(start / blockBytes), 8);
    return createCipheriv('aes-256-ctr', this.#key, counter).update(Buffer.alloc(length));
  }
}
