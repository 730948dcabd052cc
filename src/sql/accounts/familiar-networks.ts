import { overallLimit } from '../../core/accounts/account.ts';
import type { Database } from '../engine/engine.ts';
import { isOutside, isWithin } from './try-window.ts';

/** A pair of a network and a user name. `account` is the digest of the user name. */
interface Familiarity {
  readonly account: string;
  readonly network: string;
}

/**
 * Maximum number of expired rows that one login removes. A login adds only one row, so expired rows
 * do not accumulate.
 */
const maxRemoved = 100;
const { familiarMs } = overallLimit;

/** Returns true if a login with this user name recently succeeded from this network. */
export async function isFamiliar(
  db: Database,
  { account, network }: Familiarity,
): Promise<boolean> {
  const found = await db
    .selectFrom('familiar_network')
    .select('at')
    .where('account', '=', account)
    .where('network', '=', network)
    .where(isWithin(db, familiarMs))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Records that a login with this user name succeeded from this network. Also removes some expired
 * rows.
 */
export async function recordFamiliar(trx: Database, familiar: Familiarity): Promise<void> {
  await trx
    .deleteFrom('familiar_network')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('account', 'network'),
        'in',
        selectFrom('familiar_network')
          .select(['account', 'network'])
          .where(isOutside(trx, familiarMs))
          .limit(maxRemoved)
          .$asTuple('account', 'network'),
      ),
    )
    .execute();
  const at = trx.dialect.now;
  await trx
    .insertInto('familiar_network')
    .values({ ...familiar, at })
    .onConflict((conflict) => conflict.columns(['account', 'network']).doUpdateSet({ at }))
    .execute();
}
