import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { codeOf } from './local/disk-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// In a container, the program always has process id 1. This random text distinguishes the process
// from an earlier one with the same id.
const RUN = randomUUID().slice(0, 8);
const MARK = /^(.{1,63})\.(\d{1,10})\.([0-9a-f]{8})[0-9a-f-]{28}$/;

/**
 * Returns a new name for unfinished work: `<hostname>.<pid>.<uuid>`. The name identifies the owner
 * (see `isAbandoned`).
 */
export function ownerMark(): string {
  return `${host()}.${process.pid}.${RUN}${randomUUID().slice(8)}`;
}

/**
 * Returns the part of a mark that identifies the process that created the mark. Two processes never
 * have the same part, even with the same host name and process id.
 */
export function processOf(mark: string): string {
  return mark.slice(0, -28);
}

/**
 * Returns true if unfinished work with this name is abandoned. Work is abandoned if its process on
 * this host has ended, or if the work was not modified for `maxAgeMs`. For work of other hosts,
 * only the time is checked, because their processes cannot be queried.
 */
export function isAbandoned(
  name: string,
  modifiedMs: number,
  { maxAgeMs = DAY_MS, now = Date.now() } = {},
): boolean {
  if (now - modifiedMs > maxAgeMs) return true;
  const [, owner, pid, run] = MARK.exec(name) ?? [];
  if (owner !== host()) return false;
  return Number(pid) === process.pid ? run !== RUN : !isAlive(Number(pid));
}

/**
 * Returns the host's name with unusual characters replaced. The result is valid in file names and
 * contains no dot, because dots separate the parts of a mark.
 */
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
