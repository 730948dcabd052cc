import { readFileSync } from 'node:fs';

/** Returns the process ids of the running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Returns true if a process is running. A zombie process does not count as running. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
