import { type SqlBool, sql } from 'kysely';
import type { LeaseRecords } from '../core/shared/leases.ts';
import type { Engine } from './engine.ts';

/** How long an expired lease stays stored: one day, in ms. */
const forgottenMs = 24 * 60 * 60_000;

/** Stores leases, timed by the clock of the database. */
export class SqlLeaseRecords implements LeaseRecords {
  readonly #engine: Engine;
  readonly #isDead: (holder: string) => boolean;

  constructor(parts: {
    engine: Engine;
    /** Returns whether the process that a holder names is known to have ended. */
    isDead: (holder: string) => boolean;
  }) {
    this.#engine = parts.engine;
    this.#isDead = parts.isDead;
  }

  take(name: string, holder: string, ms: number): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      const { now } = trx.dialect;
      const expires_at = sql<number>`${now} + ${ms}`;
      const own = await trx
        .insertInto('lease')
        .values({ name, holder, expires_at })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('name')
        .executeTakeFirst();
      if (own !== undefined) {
        // Leases of processes that ended without releasing them.
        const longOver = sql<SqlBool>`expires_at < ${now} - ${forgottenMs}`;
        await trx.deleteFrom('lease').where(longOver).where('name', '!=', 'logins').execute();
        return true;
      }
      const row = await trx
        .selectFrom('lease')
        .select(['holder', sql<number>`expires_at - ${now}`.as('left')])
        .where('name', '=', name)
        .modifyEnd(trx.dialect.lockRows)
        .executeTakeFirst();
      if (row === undefined) return false; // dropped meanwhile; the next attempt gets it
      // A lease that ends later than a new one would was taken before the clock was set back.
      const isOver = row.left <= 0 || row.left > ms;
      if (row.holder !== holder && !isOver && !this.#isDead(row.holder)) return false;
      await trx.updateTable('lease').set({ holder, expires_at }).where('name', '=', name).execute();
      return true;
    });
  }

  async isHeld(name: string): Promise<boolean> {
    const { read } = this.#engine;
    const row = await read
      .selectFrom('lease')
      .select('holder')
      .where('name', '=', name)
      .where('expires_at', '>', read.dialect.now)
      .executeTakeFirst();
    return row !== undefined;
  }

  async drop(name: string, holder: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
    });
  }
}
