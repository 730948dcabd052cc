import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Why the state of a process cannot be read here; null where it can. */
export const lackOfProc = async () =>
  process.platform === 'linux' ? null : 'processes are looked at in /proc';

/** How many file descriptors a process has. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Asks every 50 ms until the value is at most `most`, or the time is over; the last value. */
export async function fallsTo(
  most: number,
  value: () => Promise<number>,
  forMs: number,
): Promise<number> {
  const until = performance.now() + forMs;
  let last = await value();
  while (last > most && performance.now() < until) {
    await setTimeout(50);
    last = await value();
  }
  return last;
}
