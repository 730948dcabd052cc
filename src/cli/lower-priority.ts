import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const niceness = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of this process, so that a server on the same machine still responds quickly.
 * On an idle machine, the lower priority has no effect. Threads that start later inherit the lower
 * priority. The database thread must already be running and keeps its priority, because a slow lock
 * holder would delay other processes.
 */
export function lowerPriority(): void {
  try {
    setPriority(niceness);
  } catch {
    // The system does not allow another priority. The process keeps its priority.
  }
}

/**
 * Lowers the priority of this process, which must lead its own session. Linux divides processor
 * time among sessions first, and considers niceness only within a session. So this function also
 * sets the niceness of the session (sched(7), "The autogroup feature").
 */
export function lowerSessionPriority(): void {
  lowerPriority();
  try {
    writeFileSync('/proc/self/autogroup', `${niceness}`);
  } catch {
    // The system is not Linux, or the autogroup feature is off.
  }
}
