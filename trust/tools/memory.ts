import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Returns the maximum growth of a process's resident memory until `work` ends, in MiB. */
export async function memoryMore(pid: number, work: Promise<unknown>): Promise<number> {
  const before = await residentMib(pid);
  let most = before;
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    most = Math.max(most, await residentMib(pid));
    await Promise.race([ended, setTimeout(50)]);
  }
  await ended;
  return most - before;
}

export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
