import { refused } from '../../../core/shared/errors.ts';

/**
 * Reads the fields of a header in order. Every method throws a `CatalogError` of kind `refused` if
 * the header ends before the requested bytes.
 */
export class ByteReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw refused('it is damaged: a header ends too early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  /** Returns a reader of the header's last `length` bytes. The current position has no effect. */
  last(length: number): ByteReader {
    if (length > this.#bytes.length) throw refused('it is damaged: a header ends too early');
    return new ByteReader(this.#bytes.subarray(this.#bytes.length - length));
  }

  skip(length: number): void {
    this.bytes(length);
  }

  byte(): number {
    return this.bytes(1)[0] as number;
  }

  uint32(): number {
    return this.bytes(4).readUInt32LE(0);
  }

  /**
   * Reads a number in the encoding of RAR 5 and xz: seven bits per byte, lowest bits first. A set
   * top bit means that another byte follows.
   */
  number7(): number {
    let value = 0;
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return checked(value);
    }
    throw refused('it is damaged: a number has no end');
  }

  /**
   * Reads a number in the encoding of 7z. The first byte has one leading 1 bit for each byte that
   * follows. The remaining bits of the first byte are the highest bits of the number. The following
   * bytes are in little-endian order.
   */
  number8(): number {
    const first = this.byte();
    let value = 0;
    for (let i = 0; i < 8; i += 1) {
      const mask = 0x80 >> i;
      if ((first & mask) === 0) return checked(value + (first & (mask - 1)) * 2 ** (8 * i));
      value += this.byte() * 2 ** (8 * i);
    }
    return checked(value);
  }
}

function checked(value: number): number {
  if (!Number.isSafeInteger(value)) throw refused('it is damaged: a number that cannot be');
  return value;
}
