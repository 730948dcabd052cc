import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';

/**
 * Stops processes and waits until none of their threads runs any more, which may be a while after
 * the signal. SIGCONT resumes them.
 */
export async function freeze(...pids: readonly (number | undefined)[]): Promise<void> {
  for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGSTOP');
  for (const pid of pids) {
    if (pid !== undefined && !(await eventually(() => isStopped(pid), Boolean))) {
      throw new Error(`process ${pid} does not stop`);
    }
  }
}

/**
 * Tells whether all threads are stopped (proc(5): the state follows the name, which may hold
 * anything).
 */
function isStopped(pid: number): boolean {
  if (!existsSync('/proc/self/task')) return true; // not Linux, so the state is unknown
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
