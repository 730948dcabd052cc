import { systemClock } from '../../src/core/shared/clock.ts';
import { Leases } from '../../src/core/shared/leases.ts';
import { ownerMark } from '../../src/files/owner.ts';
import type { Engine } from '../../src/sql/engine.ts';
import { SqlLeaseRecords } from '../../src/sql/leases.ts';

/** Returns leases in this database, as another process would have them. */
export function leasesIn(engine: Engine): Leases {
  const records = new SqlLeaseRecords({ engine, isDead: () => false });
  return new Leases({ records, newHolder: ownerMark, clock: systemClock });
}
