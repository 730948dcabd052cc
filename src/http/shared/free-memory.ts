import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Gives back what starting left behind, some 40 MiB: V8 would keep it until its own heap needs it. It takes some ten ms, in
 * which nothing else runs.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * With more of them waiting V8 begins to look through its whole heap, which took 60 ms of processor time for each chunk of
 * 16 MiB.
 */
const everyBytes = 2 * 1_048_576;

/** Frees the pieces of a body that have been passed on: beside its small heap V8 would let 64 MiB of them wait. */
export class PassedPieces {
  #bytes = 0;

  /** A piece of this size was passed on. Now and then it takes a quarter of a ms. */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < everyBytes) return;
    this.#bytes = 0;
    collect({ type: 'minor', execution: 'sync' });
  }
}
