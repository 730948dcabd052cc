import { setTimeout } from 'node:timers/promises';
import { currentMemoryMib } from '../../measure/memory.ts';

/** Returns the maximum growth of a process's resident memory until `work` ends, in MiB. */
export async function measureMemoryGrowth(pid: number, work: Promise<unknown>): Promise<number> {
  const before = residentMib(pid);
  let peak = before;
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, residentMib(pid));
    await Promise.race([ended, setTimeout(50)]);
  }
  await ended;
  return peak - before;
}

/** Returns a process's resident memory in MiB, or NaN if the system does not report it. */
export function residentMib(pid: number): number {
  return currentMemoryMib(pid) ?? Number.NaN;
}
