import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

const everyBytes = 2 * 2 ** 20;
let passed = 0;

/**
 * Counts the bytes of a buffer that was received from the store. After every 2 MiB, frees unused
 * buffers by a minor garbage collection, which takes a quarter of a millisecond. Buffers are
 * outside of V8's small heap, so V8 would let 64 MiB of unused buffers accumulate.
 */
export function notePiece(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
