import { type SqlBool, sql } from 'kysely';
import type { LeaseRecords } from '../../core/shared/processes/leases.ts';
import type { Database, Engine } from '../engine/engine.ts';

/** Time after which an expired lease is deleted, in ms. */
const deleteAfterMs = 10 * 60_000;

/** Stores leases. All times are read from the clock of the database. */
export class SqlLeaseRecords implements LeaseRecords {
  readonly #engine: Engine;
  readonly #isDead: (holder: string) => boolean;

  constructor(parts: {
    engine: Engine;
    /** Returns true if the process with this holder name is known to have ended. */
    isDead: (holder: string) => boolean;
  }) {
    this.#engine = parts.engine;
    this.#isDead = parts.isDead;
  }

  acquire(name: string, holder: string, ms: number): Promise<boolean> {
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
        await deleteExpired(trx);
        return true;
      }
      const row = await trx
        .selectFrom('lease')
        .select(['holder', sql<number>`expires_at - ${now}`.as('left')])
        .where('name', '=', name)
        .modifyEnd(trx.dialect.lockRows)
        .executeTakeFirst();
      // The lease was deleted meanwhile. The next attempt takes it.
      if (row === undefined) return false;
      // If a lease expires later than a new lease would, the clock was set back after the lease was
      // written. Such a lease counts as expired too.
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

  async deleteExpired(): Promise<void> {
    await this.#engine.write(deleteExpired);
  }

  async release(name: string, holder: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
    });
  }
}

/** Deletes the leases of processes that ended without releasing them. */
async function deleteExpired(trx: Database): Promise<void> {
  const isLongOver = sql<SqlBool>`expires_at < ${trx.dialect.now} - ${deleteAfterMs}`;
  await trx.deleteFrom('lease').where(isLongOver).where('name', '!=', 'logins').execute();
}
