import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const niceness = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers this process's priority, so that a server on the same machine still responds quickly. On
 * an idle machine this has no effect. Threads started afterwards inherit the priority. The database
 * thread was started before and keeps its own, because a slow lock holder would delay other
 * processes.
 */
export function giveWay(): void {
  try {
    setPriority(niceness);
  } catch {
    // If the system does not allow it, this process keeps its priority.
  }
}

/**
 * Lowers the priority of a process that leads its own session. Linux divides processor time among
 * sessions first, and considers niceness only within a session. So the niceness of the session is
 * set too (sched(7), "The autogroup feature").
 */
export function sessionGivesWay(): void {
  giveWay();
  try {
    writeFileSync('/proc/self/autogroup', `${niceness}`);
  } catch {
    // This is not Linux, or the autogroup feature is off.
  }
}
