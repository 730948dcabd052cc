import { readFileSync } from 'node:fs';

/** The ids of the processes that a process started and that run. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Whether a process runs; one that has ended and is not waited for does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
