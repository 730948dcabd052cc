import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Runs a full garbage collection of this thread's heap. The collection frees some ten MiB that
 * loading the program and earlier work left behind. Without the call, V8 would free them only when
 * this heap is full. So call this before work that needs memory outside of this heap. The call
 * takes some ten milliseconds, during which the thread is blocked.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Runs a short garbage collection, which frees the pieces of a file that were read since the last
 * call and are no longer used. Pieces are outside of V8's heap. The heap itself stays small, so V8
 * would collect late and let tens of MiB of pieces accumulate. The memory of these pieces would not
 * be returned to the system when the thread ends. The call takes less than a millisecond.
 */
export function freePieces(): void {
  collect({ type: 'minor', execution: 'sync' });
}
