import { systemClock } from '../../src/core/shared/clock.ts';
import { Leases } from '../../src/core/shared/leases.ts';
import { ownerMark } from '../../src/files/owner.ts';
import type { Engine } from '../../src/sql/engine.ts';
import { SqlLeaseRecords } from '../../src/sql/leases.ts';

/** Leases in this database, as a process of its own would take them. */
export function leasesIn(engine: Engine): Leases {
  const records = new SqlLeaseRecords({ engine, isDead: () => false });
  return new Leases({ records, newHolder: ownerMark, clock: systemClock });
}
