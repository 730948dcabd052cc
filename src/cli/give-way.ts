import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const niceness = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets others on this machine go first, above all a server whose users wait for an answer; where nothing else is to be
 * done nothing takes longer. Threads that are started from here on inherit it. That of the database was started before:
 * what holds a lock gives way to nobody.
 */
export function giveWay(): void {
  try {
    setPriority(niceness);
  } catch {
    // where the system does not let it, everybody is served alike
  }
}

/**
 * The same for a process that leads a session of its own. Linux divides processors among sessions first (sched(7), "The
 * autogroup feature"), and looks at the niceness of processes only within one.
 */
export function sessionGivesWay(): void {
  giveWay();
  try {
    writeFileSync('/proc/self/autogroup', `${niceness}`);
  } catch {
    // another system, or this feature is off
  }
}
