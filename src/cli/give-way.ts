import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const niceness = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers this process's priority below others on this machine, above all a server whose users wait
 * for a response. On an idle machine nothing takes longer. Threads started afterwards inherit the
 * priority. The database thread was started before, because a holder of a lock must not be slowed
 * down.
 */
export function giveWay(): void {
  try {
    setPriority(niceness);
  } catch {
    // if the system does not allow it, all processes run at the same priority
  }
}

/**
 * Lowers the priority of a process that leads its own session. Linux divides processors among
 * sessions first (sched(7), "The autogroup feature"), and considers the niceness of processes only
 * within a session.
 */
export function sessionGivesWay(): void {
  giveWay();
  try {
    writeFileSync('/proc/self/autogroup', `${niceness}`);
  } catch {
    // another system, or this feature is off
  }
}
