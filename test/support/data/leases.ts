import { systemClock } from '../../../src/core/shared/clock.ts';
import { Leases } from '../../../src/core/shared/processes/leases.ts';
import { ownerMark } from '../../../src/files/process-mark.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlLeaseRecords } from '../../../src/sql/jobs/lease-records.ts';

/** Returns leases in this database, as another process would have them. */
export function leasesIn(engine: Engine): Leases {
  const records = new SqlLeaseRecords({ engine, isDead: () => false });
  return new Leases({ records, newHolder: ownerMark, clock: systemClock });
}
