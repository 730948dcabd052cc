import { existsSync, readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, vi } from 'vitest';
import { pollOptions } from './poll-options.ts';

/**
 * Stops processes with SIGSTOP. Waits until none of their threads runs any more, which may take a
 * while. SIGCONT resumes the processes.
 */
export async function freeze(...pids: readonly (number | undefined)[]): Promise<void> {
  for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGSTOP');
  for (const pid of pids) {
    if (pid === undefined) continue;
    const stops = () => expect(isStopped(pid), `process ${pid} is stopped`).toBe(true);
    await vi.waitFor(stops, pollOptions);
  }
}

/**
 * Stops a process with SIGSTOP while it writes nothing to the SQLite database in `file`. A process
 * that is stopped during a write would keep its lock.
 */
export async function freezeBetweenWrites(pid: number | undefined, file: string): Promise<void> {
  // Do not wait for the lock synchronously: a write may need this thread to finish.
  const database = new Database(file, { timeout: 0 });
  try {
    const lock = () => expect(() => database.exec('BEGIN IMMEDIATE')).not.toThrow();
    await vi.waitFor(lock, { ...pollOptions, interval: 5 });
    await freeze(pid);
  } finally {
    database.close();
  }
}

/**
 * Returns true if all threads of a process are stopped. In proc(5), the state follows the name. The
 * name may contain any characters, including parentheses.
 */
function isStopped(pid: number): boolean {
  if (!existsSync('/proc/self/task')) return true; // not Linux: assume that the process is stopped
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
