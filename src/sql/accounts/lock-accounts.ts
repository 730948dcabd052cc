import type { Database } from '../engine.ts';

/**
 * Makes writes of accounts wait for one another, in all processes, until their transactions end.
 * Each locks several users and tokens in a different order, so they could otherwise deadlock.
 */
export async function lockAccounts(trx: Database): Promise<void> {
  await trx
    .selectFrom('lease')
    .select('name')
    .where('name', '=', 'logins')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
}
