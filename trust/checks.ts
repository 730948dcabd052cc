import type { Check } from './check.ts';
import { clockJumps } from './checks/clock-jumps.ts';
import { container } from './checks/container.ts';
import { failedCalls } from './checks/failed-calls.ts';
import { failingDisk } from './checks/failing-disk.ts';
import { fullDisk } from './checks/full-disk.ts';
import { idleConnections } from './checks/idle-connections.ts';
import { lockedDatabase } from './checks/locked-database.ts';
import { logins } from './checks/logins.ts';
import { powerCut } from './checks/power-cut.ts';
import { proxies } from './checks/proxies.ts';
import { searches } from './checks/searches.ts';
import { wholeLists } from './checks/whole-lists.ts';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  clockJumps,
  container,
  failedCalls,
  failingDisk,
  fullDisk,
  lockedDatabase,
  idleConnections,
  logins,
  powerCut,
  proxies,
  searches,
  wholeLists,
];
