/**
 * Yields the bytes of a source unchanged, and stores a copy of the first twelve bytes in `bytes`.
 */
export class HeadOf implements AsyncIterable<Uint8Array> {
  bytes: Uint8Array = new Uint8Array();
  readonly #source: AsyncIterable<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      if (this.bytes.length < 12) {
        this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, 12 - this.bytes.length)]);
      }
      yield chunk;
    }
  }
}
