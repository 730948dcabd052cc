import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Runs a full garbage collection of this thread's heap, and returns the freed memory to the system.
 * Without this call, V8 would free that memory only when the heap is full. Call this function
 * before work that needs memory outside the heap. The call blocks the thread.
 */
export function collectGarbage(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Runs a minor garbage collection, which frees the pieces of a file that are no longer used. The
 * pieces are outside V8's heap. The heap itself stays small, so V8 would collect late, and many
 * pieces would accumulate. Their memory would not be returned to the system when the thread ends.
 */
export function collectYoungGarbage(): void {
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Total size, in bytes, of passed-on pieces after which `countStreamedBytes` frees them. If more
 * pieces accumulated, V8 would scan its whole heap, which is slow.
 */
const collectionIntervalBytes = 4 * 1_048_576;
let streamedBytes = 0;

/**
 * Records that a piece of this size, in bytes, was passed on and is no longer used. After every
 * 4 MiB that this thread passes on, frees the pieces. Otherwise V8 would let 64 MiB of them
 * accumulate.
 */
export function countStreamedBytes(bytes: number): void {
  streamedBytes += bytes;
  if (streamedBytes < collectionIntervalBytes) return;
  streamedBytes = 0;
  collectYoungGarbage();
}
