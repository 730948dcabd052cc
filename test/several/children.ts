import { readFileSync } from 'node:fs';

/** Returns the ids of the running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Tells whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
