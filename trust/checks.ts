import type { Check } from './check.ts';
import { idleConnections } from './checks/idle-connections.ts';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [idleConnections];
