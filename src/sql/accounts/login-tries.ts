import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { overallLimit } from '../../core/accounts/account.ts';
import type { LoginTries, LoginTry } from '../../core/accounts/ports.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { isFamiliar } from './familiar-networks.ts';
import { lockAccounts } from './lock-accounts.ts';
import { findMetered, forgetMetered, recordMetered } from './metered-tries.ts';
import { isOutside, isWithin } from './try-window.ts';

/**
 * Maximum number of expired rows that one login attempt removes. An attempt adds only one row, so
 * expired rows do not accumulate.
 */
const maxRemoved = 100;

/** Stores login attempts. All times are read from the clock of the database. */
export class SqlLoginTries implements LoginTries {
  readonly #engine: Engine;
  readonly #deferredWrites: DeferredWrites;

  constructor(parts: { engine: Engine; deferredWrites: DeferredWrites }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
  }

  async begin(attempt: LoginTry): Promise<{ id: number } | { freeInMs: number }> {
    // A digest has a fixed length, however long the name is.
    const account = createHash('sha256').update(attempt.name).digest('hex');
    // Checks without a transaction first, so that a blocked attempt causes no write.
    const seen = await decideAttempt(this.#engine.read, attempt, account);
    if ('freeInMs' in seen) return seen;
    return this.#engine.write(async (trx) => {
      await lockAccounts(trx);
      const decision = await decideAttempt(trx, attempt, account);
      if ('freeInMs' in decision) return decision;
      await removeOldTries(trx, Math.max(attempt.windowMs, overallLimit.windowMs));
      const { id } = await trx
        .insertInto('login_try')
        .values({ network: attempt.network, account, at: trx.dialect.now, failed: false })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (decision.isMetered) await recordMetered(trx, { account, tryId: id });
      return { id };
    });
  }

  recordFailure(id: number): void {
    this.#deferredWrites.add(async (trx) => {
      const set = { at: trx.dialect.now, failed: true };
      await trx.updateTable('login_try').set(set).where('id', '=', id).execute();
    });
  }

  async clear(id: number): Promise<void> {
    await this.#engine.write((trx) => clearTry(trx, id));
  }

  async forget(id: number): Promise<void> {
    await this.#engine.write(async (trx) => {
      const own = await trx
        .deleteFrom('login_try')
        .where('id', '=', id)
        .returning('account')
        .executeTakeFirst();
      if (typeof own?.account === 'string') await forgetMetered(trx, own.account, id);
    });
  }
}

/**
 * Removes a successful login attempt. Unlinks failed and earlier attempts of the same network from
 * the name; see `LoginTries.clear`. Returns the network and the digest of the name. Returns null if
 * the attempt no longer exists or was already unlinked.
 */
export async function clearTry(
  trx: Database,
  id: number,
): Promise<{ network: string; account: string } | null> {
  const own = await trx
    .deleteFrom('login_try')
    .where('id', '=', id)
    .returning(['network', 'account'])
    .executeTakeFirst();
  if (own === undefined || own.account === null) return null;
  const { network, account } = own;
  await trx
    .updateTable('login_try')
    .set({ account: null })
    .where('network', '=', network)
    .where('account', '=', account)
    // An attempt that has not failed is included only if it began earlier than this one.
    .where((is) => is.or([is('failed', '=', true), is('id', '<', id)]))
    .execute();
  return { network, account };
}

/**
 * The decision whether a login attempt may start. If the attempt may start, `isMetered` is true if
 * the attempt takes the only attempt that all unfamiliar networks may currently make for the name.
 * If the attempt may not start, `freeInMs` is the number of milliseconds until the next attempt may
 * be allowed.
 */
type AttemptDecision = { readonly isMetered: boolean } | { readonly freeInMs: number };

async function decideAttempt(
  db: Database,
  attempt: LoginTry,
  account: string,
): Promise<AttemptDecision> {
  const ofNetwork = await findBlock(db, attempt, account);
  if (ofNetwork !== null) return { freeInMs: ofNetwork };
  const { network } = attempt;
  if (!(await hasTooManyFailures(db, account))) return { isMetered: false };
  if (await isFamiliar(db, { account, network })) return { isMetered: false };
  const freeInMs = await findMetered(db, account);
  return freeInMs === null ? { isMetered: true } : { freeInMs };
}

/**
 * Returns true if the attempts for this name have reached the limit. The limit applies to failed
 * and running attempts from all networks together.
 */
async function hasTooManyFailures(db: Database, account: string): Promise<boolean> {
  const { count } = await db
    .selectFrom('login_try')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('account', '=', account)
    .where(isWithin(db, overallLimit.windowMs))
    .executeTakeFirstOrThrow();
  return count >= overallLimit.failures;
}

/**
 * Checks the limits of one network. Returns the milliseconds until another attempt may be allowed,
 * or null if an attempt is allowed now.
 */
async function findBlock(
  db: Database,
  { network, windowMs, maxPerName, maxPerNetwork }: LoginTry,
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
    { isFull: counts.ofName >= maxPerName, free: counts.nameFree },
    { isFull: counts.ofNetwork >= maxPerNetwork, free: counts.networkFree },
  ].filter(({ isFull }) => isFull);
  return blocks.length === 0 ? null : Math.max(...blocks.map(({ free }) => free ?? 0));
}

async function removeOldTries(trx: Database, windowMs: number): Promise<void> {
  await trx
    .deleteFrom('login_try')
    .where('id', 'in', (from) =>
      from.selectFrom('login_try').select('id').where(isOutside(trx, windowMs)).limit(maxRemoved),
    )
    .execute();
}
