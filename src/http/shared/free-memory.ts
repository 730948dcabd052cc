import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Releases the memory left over from startup, about 40 MiB, which V8 would otherwise keep until its
 * heap needs it. Blocks for about ten milliseconds.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Size of passed pieces that triggers a collection. With more of them waiting, V8 starts scanning
 * its whole heap, which is slow.
 */
const everyBytes = 2 * 1_048_576;

/**
 * Frees the pieces of a body that were passed on. Next to its small heap, V8 would let 64 MiB of
 * them accumulate.
 */
export class PassedPieces {
  #bytes = 0;

  /**
   * Records that a piece of this size was passed on. Sometimes blocks for a quarter of a
   * millisecond.
   */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < everyBytes) return;
    this.#bytes = 0;
    collect({ type: 'minor', execution: 'sync' });
  }
}
