import type { Kysely } from 'kysely';
import { kyselyOver, type QueryTarget } from './dialect.ts';
import type { Command, Failure, QueryReply } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';
import { Turns } from './turns.ts';
import { toSent } from './values.ts';

const BULK_ROWS_PER_MESSAGE = 500;
const DEFAULT_BUSY_MS = 4500;

/** Runs one statement for many rows of parameters without a message per row. */
export interface Bulk {
  /** Returns how many rows were changed. Inside write() it is part of the transaction; inside stage() it is
   *  all or nothing by itself. The statement must return no rows. */
  run(sql: string, rows: readonly (readonly unknown[])[]): Promise<number>;
}

/** Work on the read-write connection; both handles end with it. */
export type Work<Tables, T> = (db: Kysely<Tables>, bulk: Bulk) => Promise<T>;

/** The only read-write connection: one transaction after the other. */
export class Writer<Tables> {
  readonly #thread: DatabaseThread;
  readonly #turns = new Turns(1);

  constructor(thread: DatabaseThread) {
    this.#thread = thread;
  }

  async write<T>(work: Work<Tables, T>, busyMs = DEFAULT_BUSY_MS): Promise<T> {
    const deadline = performance.now() + busyMs;
    const leave = await this.#turns.enter(busyMs);
    const handle = new WriteHandle(this.#thread, true);
    try {
      await this.#thread.ask({ op: 'begin', waitMs: deadline - performance.now() });
      const result = await work(kyselyOver<Tables>(handle), handle);
      await handle.commit();
      return result;
    } catch (error) {
      await handle.rollback();
      throw error;
    } finally {
      leave();
    }
  }

  async stage<T>(work: Work<Tables, T>): Promise<T> {
    const leave = await this.#turns.enter();
    const handle = new WriteHandle(this.#thread, false);
    try {
      return await work(kyselyOver<Tables>(handle), handle);
    } finally {
      await handle.rollback(); // nothing is open unless `work` opened it
      leave();
    }
  }

  /** Resolves when everything that was asked before has ended. */
  async settled(): Promise<void> {
    const leave = await this.#turns.enter();
    leave();
  }
}

/** What `work` gets: usable until it returns. */
class WriteHandle implements QueryTarget, Bulk {
  readonly noTransaction = 'write() is the transaction: another one cannot be opened inside';
  readonly #thread: DatabaseThread;
  readonly #isTransaction: boolean;
  #failure: unknown; // what made SQLite end the transaction by itself
  #isOver = false;

  constructor(thread: DatabaseThread, isTransaction: boolean) {
    this.#thread = thread;
    this.#isTransaction = isTransaction;
  }

  query(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    return this.#ask({ op: 'query', sql, params });
  }

  // biome-ignore lint/correctness/useYield: it only refuses
  async *stream(): AsyncGenerator<never> {
    throw new Error('stream() is had on the read handle only');
  }

  async run(sql: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    if (rows.length === 0) return 0;
    if (this.#isTransaction) return this.#runAll(sql, rows);
    await this.query('begin', []); // deferred: takes no lock on the file while only TEMP tables are touched
    try {
      const changes = await this.#runAll(sql, rows);
      await this.query('commit', []);
      return changes;
    } catch (error) {
      await this.#thread.ask({ op: 'rollback' }).catch(() => undefined);
      throw error;
    }
  }

  async commit(): Promise<void> {
    const committed = this.query('commit', []);
    this.#isOver = true;
    await committed;
  }

  async rollback(): Promise<void> {
    this.#isOver = true;
    // a dead thread has rolled back by dying; the error that led here is the one to tell
    await this.#thread.ask({ op: 'rollback' }).catch(() => undefined);
  }

  // In parts, so that neither thread is held by copying a large message.
  async #runAll(sql: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    let changes = 0;
    for (let at = 0; at < rows.length; at += BULK_ROWS_PER_MESSAGE) {
      const part = rows.slice(at, at + BULK_ROWS_PER_MESSAGE).map(toSent);
      changes += await this.#ask<number>({ op: 'bulk', sql, rows: part });
    }
    return changes;
  }

  async #ask<T>(command: Command): Promise<T> {
    if (this.#isOver)
      throw new Error('the transaction has ended: await every query inside write()');
    if (this.#failure) throw this.#failure;
    let hasEnded = false;
    const onFailure = (failure: Failure) => {
      hasEnded = this.#isTransaction && failure.transactionEnded;
    };
    try {
      return await this.#thread.ask<T>(command, onFailure);
    } catch (error) {
      if (hasEnded) this.#failure = error;
      throw error;
    }
  }
}
