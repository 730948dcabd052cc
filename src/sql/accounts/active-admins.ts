import { sql } from 'kysely';
import { lastActiveAdmin } from '../../core/shared/errors.ts';
import type { Database } from '../engine.ts';

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
 * Does what may take an active admin away. Throws `last active admin`, which rolls the caller's transaction back, when
 * it took the last one. Of two at once that take the last two, the second waits at the locked rows and finds none left.
 */
export async function keepingAnAdmin<R>(
  trx: Database,
  id: number,
  takeAway: () => Promise<R>,
): Promise<R> {
  const locked = await trx
    .selectFrom('user')
    .select(['id', 'role', 'is_active'])
    // The user's own row too: who is no admin yet may become one meanwhile.
    .where((is) =>
      is.or([is('id', '=', id), is.and([is('role', '=', 'admin'), is('is_active', '=', true)])]),
    )
    .orderBy('id')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
  const user = locked.find((row) => row.id === id);
  const result = await takeAway();
  const wasActiveAdmin = user?.role === 'admin' && user.is_active;
  if (wasActiveAdmin && !(await hasActiveAdmin(trx))) throw lastActiveAdmin();
  return result;
}
