import { readdir, readlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Returns the reason why the state of a process cannot be read on this machine; null if it can. */
export const procSkipReason = async () =>
  process.platform === 'linux' ? null : 'the state of processes is read from /proc';

/** Returns the number of open file descriptors of a process. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Numbers of open file descriptors of a process: sockets, and all other descriptors. */
export interface Descriptors {
  readonly connections: number;
  readonly others: number;
}

export async function openDescriptors(pid: number): Promise<Descriptors> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  const targets = await Promise.all(
    names.map((name) => readlink(`${folder}/${name}`).catch(() => null)),
  );
  const open = targets.filter((target) => target !== null);
  const connections = open.filter((target) => target.startsWith('socket:')).length;
  return { connections, others: open.length - connections };
}

/**
 * Polls every 50 ms until the value is at most `max` or the time is over. Returns the last value.
 */
export async function waitUntilAtMost(
  max: number,
  value: () => Promise<number>,
  timeoutMs: number,
): Promise<number> {
  const until = performance.now() + timeoutMs;
  let last = await value();
  while (last > max && performance.now() < until) {
    await setTimeout(50);
    last = await value();
  }
  return last;
}

/**
 * Repeats `round` until it returns the same value `rounds` times in a row, or until the time
 * `until`. Returns the last value.
 */
export async function repeatUntilSteady(
  round: () => Promise<number>,
  { rounds, until }: { rounds: number; until: number },
): Promise<number> {
  let last = await round();
  for (let same = 1; same < rounds && performance.now() < until; ) {
    const next = await round();
    same = next === last ? same + 1 : 1;
    last = next;
  }
  return last;
}
