import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { LoginTries, LoginTry } from '../../core/accounts/ports.ts';
import type { Database, Engine } from '../engine.ts';
import type { NotedWrites } from '../noted-writes.ts';

/** Rows that count no longer which one try removes: more than it adds. */
const mostRemoved = 100;

/** Tries to log in, by the clock of the database. */
export class SqlLoginTries implements LoginTries {
  readonly #engine: Engine;
  readonly #notes: NotedWrites;

  constructor(parts: { engine: Engine; notes: NotedWrites }) {
    this.#engine = parts.engine;
    this.#notes = parts.notes;
  }

  async begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }> {
    const account = createHash('sha256').update(attempt.name).digest('hex');
    // Who is blocked costs no write.
    const seen = await findBlock(this.#engine.read, attempt, account);
    if (seen !== null) return { freeInMs: seen };
    return this.#engine.write(async (trx) => {
      await trx
        .selectFrom('lease')
        .select('name')
        .where('name', '=', 'logins')
        .modifyEnd(trx.dialect.lockRows)
        .execute();
      const freeInMs = await findBlock(trx, attempt, account);
      if (freeInMs !== null) return { freeInMs };
      await removeOld(trx, attempt.windowMs);
      const { id } = await trx
        .insertInto('login_try')
        .values({ network: attempt.network, account, at: trx.dialect.now, failed: false })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id };
    });
  }

  noteFailure(id: number): void {
    this.#notes.add(async (trx) => {
      const set = { at: trx.dialect.now, failed: true };
      await trx.updateTable('login_try').set(set).where('id', '=', id).execute();
    });
  }

  async clear(id: number): Promise<void> {
    await this.#engine.write((trx) => clearTry(trx, id));
  }

  async forget(id: number): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx.deleteFrom('login_try').where('id', '=', id).execute();
    });
  }
}

/** See `LoginTries.clear`. */
export async function clearTry(trx: Database, id: number): Promise<void> {
  const own = await trx
    .deleteFrom('login_try')
    .where('id', '=', id)
    .returning(['network', 'account'])
    .executeTakeFirst();
  if (own === undefined) return;
  await trx
    .updateTable('login_try')
    .set({ account: null })
    .where('network', '=', own.network)
    .where('account', '=', own.account)
    // Of failures that are not noted yet, those that began before.
    .where((is) => is.or([is('failed', '=', true), is('id', '<', id)]))
    .execute();
}

/** Null when there is a place. */
async function findBlock(
  db: Database,
  { network, windowMs, mostOfName, mostOfNetwork }: LoginTry,
  account: string,
): Promise<number | null> {
  const { now } = db.dialect;
  const counts = await db
    .selectFrom('login_try')
    .select([
      sql<number>`count(*)`.as('ofNetwork'),
      sql<number>`coalesce(sum(CASE WHEN account = ${account} THEN 1 ELSE 0 END), 0)`.as('ofName'),
      sql<number | null>`min(CASE WHEN failed THEN at END) + ${windowMs} - ${now}`.as(
        'networkFree',
      ),
      sql<
        number | null
      >`min(CASE WHEN failed AND account = ${account} THEN at END) + ${windowMs} - ${now}`.as(
        'nameFree',
      ),
    ])
    .where('network', '=', network)
    .where(isWithin(db, windowMs))
    .executeTakeFirstOrThrow();
  const blocks = [
    { isFull: counts.ofName >= mostOfName, free: counts.nameFree },
    { isFull: counts.ofNetwork >= mostOfNetwork, free: counts.networkFree },
  ].filter(({ isFull }) => isFull);
  return blocks.length === 0 ? null : Math.max(...blocks.map(({ free }) => free ?? 0));
}

/** One that lies ahead is of a clock that was set back since. */
function isWithin({ dialect: { now } }: Database, windowMs: number) {
  return sql<SqlBool>`at > ${now} - ${windowMs} AND at < ${now} + ${windowMs}`;
}

async function removeOld(trx: Database, windowMs: number): Promise<void> {
  const { now } = trx.dialect;
  await trx
    .deleteFrom('login_try')
    .where('id', 'in', (from) =>
      from
        .selectFrom('login_try')
        .select('id')
        .where(sql<SqlBool>`(at <= ${now} - ${windowMs} OR at >= ${now} + ${windowMs})`)
        .limit(mostRemoved),
    )
    .execute();
}
