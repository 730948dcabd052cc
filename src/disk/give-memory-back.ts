import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Gives back what loading the program and earlier work left behind, some ten MiB, before work that needs memory elsewhere:
 * V8 would keep it until its own heap needs it. It takes some ten ms, in which nothing else runs.
 */
export function giveMemoryBack(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Frees the pieces of a file that were made since the last call and are no longer used: beside its small heap V8 would let
 * tens of MiB of them wait, and the memory would not go back when the thread ends. It takes less than a ms.
 */
export function freePieces(): void {
  collect({ type: 'minor', execution: 'sync' });
}
