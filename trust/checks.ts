import type { Check } from './check.ts';
import { clientAborts } from './checks/aborts.ts';
import { clockJumps } from './checks/clock-jumps.ts';
import { container } from './checks/container.ts';
import { failedCalls } from './checks/failed-calls.ts';
import { failingDisk } from './checks/failing-disk.ts';
import { fullDisk } from './checks/full-disk.ts';
import { generatedRequests } from './checks/generated-requests.ts';
import { idleConnections } from './checks/idle-connections.ts';
import { lockedDatabase } from './checks/locked-database.ts';
import { logins } from './checks/logins.ts';
import { powerCut } from './checks/power-cut.ts';
import { proxies } from './checks/proxies.ts';
import { races } from './checks/races.ts';
import { rawRequests } from './checks/raw-requests.ts';
import { searches } from './checks/searches.ts';
import { soak } from './checks/soak.ts';
import { stalledReaders } from './checks/stalled-readers.ts';
import { terminate } from './checks/terminate.ts';
import { wholeLists } from './checks/whole-lists.ts';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  clockJumps,
  container,
  failedCalls,
  failingDisk,
  fullDisk,
  lockedDatabase,
  generatedRequests,
  clientAborts,
  terminate,
  races,
  rawRequests,
  idleConnections,
  logins,
  powerCut,
  proxies,
  searches,
  stalledReaders,
  soak,
  wholeLists,
];
