import { sql } from 'kysely';
import { overallLimit } from '../../core/accounts/account.ts';
import type { Database } from '../engine/engine.ts';
import { isOutside, isWithin } from './try-window.ts';

/**
 * Maximum number of expired rows that one login attempt removes. An attempt adds only one row, so
 * expired rows do not accumulate.
 */
const maxRemoved = 100;
const { oneTryMs } = overallLimit;

/**
 * Returns the milliseconds until the next metered attempt for an account is allowed, or null if an
 * attempt is allowed now.
 */
export async function findMetered(db: Database, account: string): Promise<number | null> {
  const found = await db
    .selectFrom('metered_try')
    .select(sql<number>`at + ${oneTryMs} - ${db.dialect.now}`.as('freeInMs'))
    .where('account', '=', account)
    .where(isWithin(db, oneTryMs))
    .executeTakeFirst();
  return found?.freeInMs ?? null;
}

/**
 * Records an attempt as the newest metered attempt of its account. Also removes some expired rows.
 */
export async function recordMetered(
  trx: Database,
  { account, tryId }: { account: string; tryId: number },
): Promise<void> {
  await trx
    .deleteFrom('metered_try')
    .where('account', 'in', (from) =>
      from
        .selectFrom('metered_try')
        .select('account')
        .where(isOutside(trx, oneTryMs))
        .limit(maxRemoved),
    )
    .execute();
  const values = { try_id: tryId, at: trx.dialect.now };
  await trx
    .insertInto('metered_try')
    .values({ account, ...values })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(values))
    .execute();
}

/**
 * Removes the record of a metered attempt that must not count. Another attempt is then allowed at
 * once.
 */
export async function forgetMetered(trx: Database, account: string, tryId: number): Promise<void> {
  await trx
    .deleteFrom('metered_try')
    .where('account', '=', account)
    .where('try_id', '=', tryId)
    .execute();
}
