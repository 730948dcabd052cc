import { type RawBuilder, sql } from 'kysely';
import { currentLease, type JobLease, LeaseLost } from '../../core/shared/processes/job-lease.ts';
import type { Database, Work } from '../engine/engine.ts';

/**
 * Wraps the work of a transaction that belongs to a job. The wrapped work throws `LeaseLost` if the
 * job has lost its lease. A first check at the beginning avoids useless work. A second check at the
 * end locks the job's row until the commit. A lock from the beginning would delay the job's
 * heartbeats for the whole transaction.
 */
export function leasedWork<R, T>(work: Work<R, T>): Work<R, T> {
  const lease = currentLease();
  if (lease === undefined) return work;
  return async (trx, bulk) => {
    await checkLease(trx, lease, sql``);
    const result = await work(trx, bulk);
    await checkLease(trx, lease, trx.dialect.lockRows);
    return result;
  };
}

async function checkLease<T>(
  trx: Database<T>,
  { id, owner, onLost }: JobLease,
  lock: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql`SELECT id FROM job
    WHERE id = ${id} AND owner = ${owner} AND state = 'running' ${lock}`.execute(trx);
  if (rows.length > 0) return;
  const lost = new LeaseLost();
  onLost(lost);
  throw lost;
}
