import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

const everyBytes = 2 * 2 ** 20;
let passed = 0;

/**
 * Records a piece of bytes from the store. Now and then frees the pieces that were passed on, which
 * takes a quarter of a millisecond. The pieces are stored outside of V8's small heap, so V8 would
 * let 64 MiB of them accumulate.
 */
export function notePiece(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
