import { sql } from 'kysely';
import { lastActiveAdmin } from '../../core/shared/errors.ts';
import type { Database } from '../engine/engine.ts';

export async function hasActiveAdmin(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select(sql<number>`1`.as('one'))
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Runs a change that may remove an active admin. If the change removed the last active admin,
 * throws `last active admin`, so that the caller's transaction is rolled back. If two transactions
 * concurrently remove the last two admins, the second transaction waits for the locked rows. The
 * second transaction then finds no admin and throws.
 */
export async function withRemainingAdmin<R>(
  trx: Database,
  id: number,
  change: () => Promise<R>,
): Promise<R> {
  const locked = await trx
    .selectFrom('user')
    .select(['id', 'role', 'is_active'])
    // Locks the user's own row too, because a user who is not an admin may become one meanwhile.
    .where((is) =>
      is.or([is('id', '=', id), is.and([is('role', '=', 'admin'), is('is_active', '=', true)])]),
    )
    .orderBy('id')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
  const user = locked.find((row) => row.id === id);
  const result = await change();
  const wasActiveAdmin = user?.role === 'admin' && user.is_active;
  if (wasActiveAdmin && !(await hasActiveAdmin(trx))) throw lastActiveAdmin();
  return result;
}
