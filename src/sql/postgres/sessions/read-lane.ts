import type { CompiledQuery, QueryResult } from 'kysely';
import type { QueueLimits } from '../../../core/shared/concurrency/fair-queue.ts';
import { ReadQueue, type WaitingRead } from '../../engine/read-queue.ts';
import type { Target } from '../../engine/target-driver.ts';
import { toResult } from '../database.ts';
import { ConnectionLost, toCallerError } from '../errors.ts';
import type { Connection, Patience, Reply } from './connection.ts';
import type { ConnectionLane } from './lane.ts';

/** Limits on the SELECTs of a lane. */
interface LaneLimits {
  /** Maximum number of SELECTs that run at once. */
  readonly atOnce: number;
  readonly bounds: QueueLimits;
  /** Timeout of a client's SELECT, from its arrival to the reply, in ms. */
  readonly clientMs: number;
  /**
   * Maximum running time of the program's own SELECTs, in ms. The time that such a SELECT waits in
   * the queue is not limited.
   */
  readonly ownMs: number;
  /**
   * True if the SELECTs of this lane may read whole tables. Such a SELECT is ended at its timeout,
   * or when its client has disconnected.
   */
  readonly isLong: boolean;
}

/**
 * A queue of SELECTs that serves clients in rotation. A limited number of SELECTs runs at once,
 * each on its own connection.
 */
export class ReadLane implements Target {
  readonly noTransaction = 'a transaction is opened by write(), not on a read handle';
  readonly #pool: ConnectionLane;
  readonly #streams: ConnectionLane;
  readonly #limits: LaneLimits;
  readonly #queue: ReadQueue<Reply>;
  #running = 0;
  #onIdle: (() => void) | undefined; // set when the lane is closing

  constructor(pool: ConnectionLane, streams: ConnectionLane, limits: LaneLimits) {
    this.#pool = pool;
    this.#streams = streams;
    this.#limits = limits;
    this.#queue = new ReadQueue(limits.bounds, limits.clientMs);
  }

  /** Returns the number of SELECTs that wait in the queue. */
  get waiting(): number {
    return this.#queue.size;
  }

  async query<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#checkOpen();
    return toResult<R>(await this.#queue.wait(sql, parameters, () => this.#send()));
  }

  async *stream<R>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    this.#checkOpen();
    // A stream uses a connection until the stream ends. Streams therefore have connections of their
    // own, so that queries need not wait for streams.
    const taken = Promise.withResolvers<Connection>();
    const done = Promise.withResolvers<void>();
    const until = performance.now() + this.#limits.ownMs;
    const using = this.#streams.use(until, (connection) => {
      taken.resolve(connection);
      return done.promise;
    });
    using.catch(taken.reject);
    try {
      for await (const batch of (await taken.promise).stream(sql, parameters, this.#limits.ownMs)) {
        this.#checkOpen();
        yield toResult<R>(batch);
      }
    } catch (error) {
      throw toCallerError(error);
    } finally {
      done.resolve();
    }
  }

  /** Refuses new queries, and waits until all earlier queries have their results. */
  close(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#send();
    });
  }

  #checkOpen(): void {
    if (this.#onIdle) throw new Error('the database is closed');
  }

  #send(): void {
    while (this.#queue.size > 0 && this.#running < this.#limits.atOnce) {
      const read = this.#queue.next() as WaitingRead<Reply>;
      this.#running += 1;
      const reply = this.#run(read).finally(() => {
        this.#running -= 1;
        this.#send();
      });
      read.resolve(reply);
    }
    if (this.#running === 0) this.#onIdle?.();
  }

  async #run({ sql, params, client: requester, queuedAt }: WaitingRead<Reply>): Promise<Reply> {
    const { clientMs, ownMs, isLong } = this.#limits;
    const isOwn = requester === undefined;
    const until = isOwn ? performance.now() + ownMs : queuedAt + clientMs;
    const patience = { until, signal: isLong ? requester?.signal : undefined };
    // The server ends the statement slightly before the client's timeout, so that the connection
    // can be used again.
    const statementMs = isOwn ? 0 : Math.ceil(clientMs * 0.9);
    try {
      try {
        return await this.#tryRun(sql, params, patience, statementMs, 'again');
      } catch (error) {
        if (error !== stale) throw error;
        return await this.#tryRun(sql, params, patience, statementMs);
      }
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /**
   * Runs a SELECT on a connection of the pool. With `again`, throws `stale` if a connection that
   * was used before is lost. The caller then retries on another connection.
   */
  #tryRun(
    sql: string,
    params: readonly unknown[],
    patience: Patience,
    statementMs: number,
    again?: 'again',
  ): Promise<Reply> {
    return this.#pool.use(patience.until, async (connection) => {
      const { wasUsed } = connection;
      try {
        if (this.#limits.isLong) await connection.limitStatements(statementMs, patience);
        return await connection.query(sql, params, patience);
      } catch (error) {
        const isInTime = performance.now() < patience.until && !patience.signal?.aborted;
        if (again && wasUsed && isInTime && error instanceof ConnectionLost) throw stale;
        throw error;
      }
    });
  }
}

const stale = Symbol('stale');
