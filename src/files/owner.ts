import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { codeOf } from './disk-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// The run tells this process from an earlier one of the same number: in a container every process is number 1.
const RUN = randomUUID().slice(0, 8);
const MARK = /^(.{1,63})\.(\d{1,10})\.([0-9a-f]{8})[0-9a-f-]{28}$/;

/** A new name for unfinished work, `<hostname>.<pid>.<uuid>`: it says whose it is (see `isAbandoned`). */
export function ownerMark(): string {
  return `${host()}.${process.pid}.${RUN}${randomUUID().slice(8)}`;
}

/** The process that made a mark: another name for every process, whatever its host and number. */
export function processOf(mark: string): string {
  return mark.slice(0, -28);
}

/**
 * True when unfinished work of this name will never be finished: a process of this host made it and is gone, or
 * nobody wrote to it for a day (another host's processes cannot be asked).
 */
export function isAbandoned(name: string, modifiedMs: number): boolean {
  if (Date.now() - modifiedMs > DAY_MS) return true;
  const [, owner, pid, run] = MARK.exec(name) ?? [];
  if (owner !== host()) return false;
  return Number(pid) === process.pid ? run !== RUN : !isAlive(Number(pid));
}

/** File names and the dots between the parts stay unambiguous whatever the host is called. */
const host = () =>
  hostname()
    .replace(/[^\w-]/g, '-')
    .slice(0, 63) || '-';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
