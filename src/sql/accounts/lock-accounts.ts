import type { Database } from '../engine/engine.ts';

/**
 * Makes writes of accounts run one at a time across all processes, by a lock until the transaction
 * ends. Such writes lock several users and tokens, each write in a different order. Without this
 * lock, the writes could deadlock.
 */
export async function lockAccounts(trx: Database): Promise<void> {
  await trx
    .selectFrom('lease')
    .select('name')
    .where('name', '=', 'logins')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
}
