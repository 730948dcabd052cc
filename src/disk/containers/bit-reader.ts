/**
 * Reads bits, most significant bit first. Bits after the end of the bytes are zeros. After such a
 * read, `isPastEnd` is true.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next `count` bits (at most 16) without consuming them. */
  peek(count: number): number {
    const byte = this.#at >> 3;
    const bytes = this.#bytes;
    const three =
      byte + 2 < bytes.length
        ? ((bytes[byte] as number) << 16) |
          ((bytes[byte + 1] as number) << 8) |
          (bytes[byte + 2] as number)
        : ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
    return (three >> (24 - (this.#at & 7) - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Reads the next `count` bits (at most 48). */
  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const part = Math.min(left, 16);
      value = value * 2 ** part + this.peek(part);
      this.#at += part;
      left -= part;
    }
    return value;
  }

  get isPastEnd(): boolean {
    return this.#at > 8 * this.#bytes.length;
  }
}
