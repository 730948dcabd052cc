import { overallLimit } from '../../core/accounts/account.ts';
import type { Database } from '../engine.ts';
import { isOutside, isWithin } from './try-window.ts';

/** A network, and the digest of a user name. */
interface Familiarity {
  readonly account: string;
  readonly network: string;
}

/** Rows that count no longer which one login removes: more than it adds. */
const maxRemoved = 100;
const { familiarMs } = overallLimit;

/** Whether a login to the name succeeded from the network lately. */
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

/** Records a login to the name that succeeded from the network, and removes some that count no longer. */
export async function makeFamiliar(trx: Database, familiar: Familiarity): Promise<void> {
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
