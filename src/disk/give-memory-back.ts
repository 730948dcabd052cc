import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Runs a full garbage collection of this thread's heap. The collection frees on the order of ten
 * MiB, left over from loading the program and from earlier work. Without this call, V8 would free
 * that memory only when the heap is full. Call this function before work that needs memory outside
 * the heap. The call blocks the thread for on the order of ten milliseconds.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Runs a short garbage collection, which frees the pieces of a file that were read since the last
 * call and are no longer used. Pieces are outside V8's heap. The heap itself stays small, so V8
 * would collect late, and tens of MiB of pieces would accumulate. The memory of these pieces would
 * not be returned to the system when the thread ends. The call takes less than a millisecond.
 */
export function freePieces(): void {
  collect({ type: 'minor', execution: 'sync' });
}
