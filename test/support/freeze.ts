import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';

/**
 * Stops processes, and returns when none of their threads runs any more: on a busy machine those of a server answer for a
 * while after the signal was sent. To be ended by SIGCONT.
 */
export async function freeze(...pids: readonly (number | undefined)[]): Promise<void> {
  for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGSTOP');
  for (const pid of pids) {
    if (pid !== undefined && !(await eventually(() => isStopped(pid), Boolean))) {
      throw new Error(`process ${pid} does not stop`);
    }
  }
}

/** Whether all threads are (proc(5): the state follows the name, which may hold anything). */
function isStopped(pid: number): boolean {
  if (!existsSync('/proc/self/task')) return true; // no Linux, nothing to be known
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
