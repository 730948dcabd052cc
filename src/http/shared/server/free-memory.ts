import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Releases the memory left over from startup, about 40 MiB. Otherwise V8 would retain this memory
 * until its heap is full. Blocks for about ten milliseconds.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Total size of passed pieces that triggers a garbage collection, in bytes. If more pieces
 * accumulated, V8 would start scanning its whole heap, which is slow.
 */
const everyBytes = 2 * 1_048_576;

/**
 * Frees the pieces of a body after they were passed on. The pieces are stored outside of V8's heap,
 * so V8 would let 64 MiB of them accumulate.
 */
export class PassedPieces {
  #bytes = 0;

  /**
   * Records that a piece of this size, in bytes, was passed on. May block for a quarter of a
   * millisecond.
   */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < everyBytes) return;
    this.#bytes = 0;
    collect({ type: 'minor', execution: 'sync' });
  }
}
