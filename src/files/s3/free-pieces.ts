import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

const everyBytes = 2 * 2 ** 20;
let passed = 0;

/**
 * To be told of each piece of bytes that came from the store; now and then it frees those that were handed on, which takes a
 * quarter of a ms: beside its small heap V8 would let 64 MiB of them wait.
 */
export function notePiece(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect({ type: 'minor', execution: 'sync' });
}
