import { crc32 } from 'node:zlib';
import { hex32 } from '../containers/archives/members.ts';

/** Calculates the size and the CRC-32 of a stream while it passes through `counting`. */
export class CountedSum {
  #size = 0;
  #sum = 0;

  async *counting(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#size += piece.length;
      this.#sum = crc32(piece, this.#sum);
      yield piece;
    }
  }

  result(): { size: number; crc32: string } {
    return { size: this.#size, crc32: hex32(this.#sum) };
  }
}
