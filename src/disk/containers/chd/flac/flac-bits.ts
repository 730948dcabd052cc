/**
 * Number of zero bytes after the packed bytes. `#word` may read these bytes before the end is
 * detected.
 */
const PADDING = 8;

/** Reads the bits of FLAC frames, most significant bit first. */
export class FlacBits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at = 0;

  constructor(packed: Uint8Array) {
    this.#bytes = new Uint8Array(packed.length + PADDING);
    this.#bytes.set(packed);
    this.#end = 8 * packed.length;
  }

  /** Reads `count` bits (at most 25). Throws a RangeError at the end of the bits. */
  read(count: number): number {
    if (count === 0) return 0;
    const value = this.#word() >>> (32 - count);
    this.#move(count);
    return value;
  }

  /**
   * Reads `count` bits (at most 25) as a signed number. Throws a RangeError at the end of the bits.
   */
  readSigned(count: number): number {
    if (count === 0) return 0;
    const value = this.#word() >> (32 - count);
    this.#move(count);
    return value;
  }

  /** Returns the number of 0 bits before the next 1 bit. Consumes these 0 bits and the 1 bit. */
  readUnary(): number {
    let zeros = 0;
    let word = this.#word();
    while (word === 0) {
      zeros += 32;
      this.#move(32);
      word = this.#word();
    }
    const more = Math.clz32(word);
    this.#move(more + 1);
    return zeros + more;
  }

  /**
   * Reads Rice codes into `out`, from index `from` up to, but not including, index `to`.
   * `parameter` is the Rice parameter, at most 24.
   */
  readRice(out: Int32Array, from: number, to: number, parameter: number): void {
    for (let i = from; i < to; i += 1) {
      const word = this.#word();
      const zeros = Math.clz32(word);
      const length = zeros + 1 + parameter;
      let value: number;
      if (length <= 32) {
        const low = parameter === 0 ? 0 : (word << (zeros + 1)) >>> (32 - parameter);
        value = (zeros << parameter) | low;
        this.#move(length);
      } else {
        value = (this.readUnary() << parameter) | this.read(parameter);
      }
      out[i] = (value >>> 1) ^ -(value & 1);
    }
  }

  /** Moves the position to the next byte boundary. Does nothing at a byte boundary. */
  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  get bytesUsed(): number {
    return this.#at >> 3;
  }

  #move(count: number): void {
    this.#at += count;
    if (this.#at > this.#end) throw new RangeError('FLAC frames that are cut');
  }

  /** Returns the next 32 bits without consuming them. */
  #word(): number {
    const bytes = this.#bytes;
    const byte = this.#at >> 3;
    const bit = this.#at & 7;
    const four =
      ((bytes[byte] as number) << 24) |
      ((bytes[byte + 1] as number) << 16) |
      ((bytes[byte + 2] as number) << 8) |
      (bytes[byte + 3] as number);
    return (four << bit) | ((bytes[byte + 4] as number) >> (8 - bit));
  }
}
