import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { busy } from '../../../core/shared/errors.ts';
import { currentClient } from '../../../core/shared/requests/client-context.ts';
import type { Work } from '../../engine/engine.ts';
import type { WriteOptions } from '../../engine/write-options.ts';
import { BulkStatements } from '../bulk.ts';
import { databaseOver, toResult } from '../database.ts';
import { Conflict, ConnectionLost, toCallerError } from '../errors.ts';
import type { Connection, Patience } from './connection.ts';
import type { ConnectionLane } from './lane.ts';
import { StageHandle, TableSizes } from './stage-handle.ts';
import type { Staging } from './staging.ts';
import { WriteHandle } from './write-handle.ts';

const DEFAULT_BUSY_MS = 4500;
/**
 * Maximum time to wait for a staging connection, in ms. Other work, such as planning an import, may
 * use the connections for a long time.
 */
const STAGE_WAIT_MS = 60 * 60_000;
const RETRY_MS = { from: 20, to: 100 };
/**
 * Timeout, in ms, of a single statement that the program itself runs. Such a statement may do half
 * of the work of an import. For a client, the timeout applies to the whole write instead.
 */
const OWN_STATEMENT_MS = 30 * 60_000;
/**
 * Extra time, in ms, after the deadline. Within this time, the server can report that a lock was
 * not available.
 */
const GRACE_MS = 200;

/** Runs transactions and staging work. Several of them may run concurrently. */
export class Writer<T> {
  readonly #pool: ConnectionLane;
  readonly #stagePool: ConnectionLane;
  readonly #staging: Staging;
  readonly #bulks = new BulkStatements();
  readonly #sizes = new TableSizes();
  readonly #running = new Set<Promise<unknown>>();

  constructor(parts: { pool: ConnectionLane; stagePool: ConnectionLane; staging: Staging }) {
    this.#pool = parts.pool;
    this.#stagePool = parts.stagePool;
    this.#staging = parts.staging;
  }

  write<R>(work: Work<R, T>, options: WriteOptions = {}): Promise<R> {
    const { busyMs = DEFAULT_BUSY_MS, isPart = false } = options;
    return this.#track(this.#write(work, performance.now() + busyMs, isPart));
  }

  /** Runs one statement that is a transaction of its own. */
  single<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const until = performance.now() + DEFAULT_BUSY_MS;
    const run = async (connection: Connection) =>
      toResult<R>(await connection.query(sql, parameters, patienceOf(until)()));
    const result = this.#pool.use(until, run).catch((error: unknown) => {
      throw this.#toCallerError(error);
    });
    return this.#track(result);
  }

  stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R> {
    return this.#track(this.#stage(work, signal));
  }

  /** Resolves when all work that began earlier has ended. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #write<R>(work: Work<R, T>, until: number, isPart: boolean): Promise<R> {
    try {
      for (;;) {
        const outcome = await this.#tryWrite(work, until, isPart);
        if ('result' in outcome) return outcome.result;
        if (performance.now() > until) throw outcome.again;
        // Waits, so that the conflicting transaction can finish. Otherwise the two transactions
        // might conflict again.
        await setTimeout(randomInt(RETRY_MS.from, RETRY_MS.to));
      }
    } catch (error) {
      throw this.#toCallerError(error);
    }
  }

  /**
   * Runs the transaction once. Returns `again` if the transaction should be retried. The server may
   * have ended the transaction in favour of another one. Or the transaction could not begin because
   * a reused connection was lost.
   */
  #tryWrite<R>(
    work: Work<R, T>,
    until: number,
    isPart: boolean,
  ): Promise<{ result: R } | { again: unknown }> {
    return this.#pool.use(until, async (connection) => {
      const handle = new WriteHandle(connection, this.#bulks, patienceOf(until));
      const { wasUsed } = connection;
      try {
        await begin(connection, this.#staging, until, isPart);
      } catch (error) {
        if (wasUsed && error instanceof ConnectionLost) return { again: error };
        connection.destroy(); // otherwise its next user could be inside a transaction
        throw error;
      }
      try {
        const result = await work(databaseOver<T>(handle), handle);
        await handle.commit();
        return { result };
      } catch (error) {
        await handle.rollback();
        if (handle.failure instanceof Conflict) return { again: handle.failure };
        throw handle.isReadOnly ? busy(error) : error;
      }
    });
  }

  async #stage<R>(work: Work<R, T>, signal: AbortSignal | undefined): Promise<R> {
    try {
      await this.#staging.ready();
      const use = <A>(
        task: (connection: Connection) => Promise<A>,
        { makesTables } = { makesTables: false },
      ) =>
        this.#stagePool.use(performance.now() + STAGE_WAIT_MS, async (connection) => {
          const isShown = makesTables
            ? await this.#staging.exposeForCreate(connection)
            : await this.#staging.exposeTo(connection);
          // Without the staging schema, new tables would be created in the schema of the catalogue.
          // Other processes would see these tables and use them as their own staging tables.
          if (!isShown) throw busy();
          return task(connection);
        });
      const handle = new StageHandle({ use, bulks: this.#bulks, sizes: this.#sizes, signal });
      return await work(databaseOver<T>(handle), handle);
    } catch (error) {
      throw this.#toCallerError(error);
    }
  }

  #toCallerError(error: unknown): unknown {
    return this.#staging.isLossError(error) ? busy(error) : toCallerError(error);
  }

  async #track<R>(running: Promise<R>): Promise<R> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Begins a transaction. The server waits for locks no longer than the caller waits. */
async function begin(
  connection: Connection,
  staging: Staging,
  until: number,
  isPart: boolean,
): Promise<void> {
  const ownUntil = performance.now() + DEFAULT_BUSY_MS;
  const isOwn = currentClient() === undefined;
  const patience = { until: isOwn ? Math.max(until, ownUntil) : until + GRACE_MS };
  await staging.exposeTo(connection, patience);
  const lockMs = Math.max(1, Math.ceil(until - performance.now()));
  // This commit does not wait for the disk. The server writes its log in order, so the commit is
  // durable as soon as a later commit is durable.
  const sync = isPart ? '; SET LOCAL synchronous_commit = off' : '';
  await connection.run(`BEGIN; SET LOCAL lock_timeout = ${lockMs}${sync}`, patience);
}

/**
 * Returns a function that returns the limits of the next statement. These limits depend on whether
 * the statement is for a client.
 */
function patienceOf(until: number): () => Patience {
  if (currentClient() !== undefined) return () => ({ until: until + GRACE_MS });
  return () => ({ until: performance.now() + OWN_STATEMENT_MS });
}
