import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back what loading the program and earlier work left behind, some ten MiB, before work that needs memory elsewhere:
 * V8 would keep it until its own heap needs it. It takes some ten ms, in which nothing else runs.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
