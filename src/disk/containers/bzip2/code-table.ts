import type { BitReader } from '../bit-reader.ts';

const MAX_CODE_LENGTH = 20;
/** Maximum length, in bits, of the codes that are looked up in one step. */
const SHORT = 10;
const SYMBOL_BITS = 9;

/**
 * A canonical Huffman code. Shorter codes come first. Codes of equal length are in the order of
 * their symbols.
 */
export class CodeTable {
  readonly #symbols: number[] = [];
  /**
   * For each code length: the number of codes, the first code, and the index in `#symbols` of the
   * first code's symbol.
   */
  readonly #counts = new Int32Array(MAX_CODE_LENGTH + 1);
  readonly #first = new Int32Array(MAX_CODE_LENGTH + 1);
  readonly #place = new Int32Array(MAX_CODE_LENGTH + 1);
  /**
   * For each value of the next `SHORT` bits: the length and the symbol of the code. The value is 0
   * if the code is longer or does not exist.
   */
  readonly #short = new Uint16Array(1 << SHORT);

  constructor(lengths: readonly number[]) {
    let code = 0;
    for (let length = 1; length <= MAX_CODE_LENGTH; length += 1) {
      code *= 2;
      this.#first[length] = code;
      this.#place[length] = this.#symbols.length;
      for (const [symbol, own] of lengths.entries()) {
        if (own !== length) continue;
        this.#symbols.push(symbol);
        this.#counts[length] = (this.#counts[length] as number) + 1;
        if (length <= SHORT) {
          const from = code << (SHORT - length);
          this.#short.fill((length << SYMBOL_BITS) | symbol, from, from + (1 << (SHORT - length)));
        }
        code += 1;
      }
    }
  }

  /**
   * Reads the code lengths of `symbols` symbols. Each length is stored as steps of +1 or -1 from
   * the previous length. Throws a RangeError if a length is impossible.
   */
  static read(bits: BitReader, symbols: number): CodeTable {
    const lengths: number[] = [];
    let length = bits.read(5);
    for (let symbol = 0; symbol < symbols; symbol += 1) {
      while (bits.read(1) === 1) {
        length += bits.read(1) === 0 ? 1 : -1;
        if (length < 1 || length > MAX_CODE_LENGTH)
          throw new RangeError('a bzip2 code of no length');
      }
      lengths.push(length);
    }
    if (length < 1 || length > MAX_CODE_LENGTH) throw new RangeError('a bzip2 code of no length');
    return new CodeTable(lengths);
  }

  next(bits: BitReader): number {
    let code = bits.peek(SHORT);
    const known = this.#short[code] as number;
    if (known !== 0) {
      bits.skip(known >> SYMBOL_BITS);
      return known & ((1 << SYMBOL_BITS) - 1);
    }
    bits.skip(SHORT);
    for (let length = SHORT + 1; length <= MAX_CODE_LENGTH; length += 1) {
      code = (code << 1) | bits.read(1);
      const into = code - (this.#first[length] as number);
      if (into >= 0 && into < (this.#counts[length] as number)) {
        return this.#symbols[(this.#place[length] as number) + into] as number;
      }
    }
    throw new RangeError('no bzip2 code');
  }
}
