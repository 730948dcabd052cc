import { sql } from 'kysely';
import type { FailedLogin } from '../../core/accounts/ports.ts';
import type { Database } from '../engine/engine.ts';

/**
 * The audit action of a failed login. Queries contain this action as a literal, so that the engine
 * can use the partial index of failed logins.
 */
const action = 'login.fail';
const isFailure = sql.lit(action);
/**
 * Maximum number of old rows that are checked for expiry when a row is added. The maximum keeps the
 * cost independent of the number of rows.
 */
const maxChecked = 100;

/**
 * Records a failed login. If a row of the same name and network began at or after `windowStart`,
 * increments the count in that row. Otherwise adds a row and removes expired rows.
 */
export async function recordFailedLogin(trx: Database, failed: FailedLogin): Promise<void> {
  const { username, network, at, windowStart, retainedSince } = failed;
  const row = await trx
    .selectFrom('audit')
    .select(['id', 'detail'])
    .where('action', '=', isFailure)
    .where('username', '=', username)
    .where('address', '=', network)
    .where('at', '>=', windowStart)
    .orderBy('at', 'desc')
    .limit(1)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (row !== undefined) {
    const { count }: { count: number } = JSON.parse(row.detail ?? '{}');
    const detail = JSON.stringify({ count: count + 1, last_at: at });
    await trx.updateTable('audit').set({ detail }).where('id', '=', row.id).execute();
    return;
  }
  await trx
    .deleteFrom('audit')
    .where('id', 'in', (from) =>
      from
        .selectFrom('audit')
        .select('id')
        .where('action', '=', isFailure)
        .orderBy('id')
        .limit(maxChecked),
    )
    .where('at', '<', retainedSince)
    .execute();
  const detail = JSON.stringify({ count: 1, last_at: at });
  const who = { actor_kind: 'user', user_id: null, username, address: network } as const;
  await trx
    .insertInto('audit')
    .values({ at, ...who, action, target: 'login', detail })
    .execute();
}
