import { sql } from 'kysely';
import { busyOutcomeUnknown } from '../../core/shared/errors.ts';
import { currentReservation } from '../../core/shared/files/reserved-work.ts';
import type { Work } from '../engine/engine.ts';

/**
 * Wraps the work of a transaction that changes files under a reservation. The wrapped work throws
 * busyOutcomeUnknown() if the reservation has ended. The reservation's row is locked until the
 * commit, so that no other process recovers the change meanwhile.
 */
export function reservedWork<R, T>(work: Work<R, T>): Work<R, T> {
  const id = currentReservation();
  if (id === undefined) return work;
  return async (trx, bulk) => {
    const { rows } = await sql`SELECT id FROM file_reservation
      WHERE id = ${id} ${trx.dialect.lockRows}`.execute(trx);
    if (rows.length === 0) throw busyOutcomeUnknown();
    return work(trx, bulk);
  };
}
