import type { Database } from '../engine.ts';

/**
 * Makes writes of accounts wait for one another, in whatever process, until their transactions end. They lock several
 * users and tokens in an order of their own, and would otherwise wait for each other in a circle.
 */
export async function lockAccounts(trx: Database): Promise<void> {
  await trx
    .selectFrom('lease')
    .select('name')
    .where('name', '=', 'logins')
    .modifyEnd(trx.dialect.lockRows)
    .execute();
}
