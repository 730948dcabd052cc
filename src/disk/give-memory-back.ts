import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Frees some ten MiB that loading the program and earlier work left behind. Call it before work
 * that needs memory elsewhere, because V8 would keep it until its own heap needs it. It takes some
 * ten ms and blocks the thread.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Frees pieces of a file that were created since the last call and are no longer used. Because its
 * heap is small, V8 would let tens of MiB of them accumulate outside it. That memory would not be
 * returned when the thread ends. It takes less than a ms.
 */
export function freePieces(): void {
  collect({ type: 'minor', execution: 'sync' });
}
