import { isBusy } from '../../core/jobs/wait-out-busy.ts';
import { withoutLease } from '../../core/shared/processes/job-lease.ts';
import type { Database, Engine } from './engine.ts';

type Write = (trx: Database) => Promise<void>;

/**
 * Maximum number of queued writes. A longer queue means that the database has been locked for a
 * long time; the oldest write is then dropped.
 */
const maxQueued = 10_000;
const retryMs = 1_000;
/**
 * Timeout of `flush`, in ms. The timeout is short, so that the caller still has time to respond if
 * the database does not.
 */
const flushTimeoutMs = 400;

/**
 * Writes that requests defer: the use of a token, a download event, a failed login. Deferred writes
 * are queued and soon executed in one transaction. If the transaction fails, the writes are retried
 * later. A transaction that was committed is not repeated. A deferred write never delays its
 * request or makes the request fail.
 */
export class DeferredWrites {
  readonly #engine: Engine;
  readonly #onLost: (count: number, error: unknown) => void;
  #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  #closed = false;

  constructor(engine: Engine, onLost: (count: number, error: unknown) => void) {
    this.#engine = engine;
    this.#onLost = onLost;
  }

  add(write: Write): void {
    this.#waiting.push(write);
    if (this.#waiting.length > maxQueued) {
      this.#waiting.shift();
      this.#onLost(1, new Error('too many notes are waiting for the database'));
    }
    this.#writing ??= withoutLease(() => this.#writeAll()).finally(() => {
      this.#writing = null;
    });
  }

  /**
   * Waits briefly until the writes deferred so far are stored, so that the caller can read the
   * stored rows. Gives up after `flushTimeoutMs`.
   */
  async flush(): Promise<void> {
    if (this.#writing === null) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushTimeoutMs);
    });
    await Promise.race([this.#writing, timeout]);
    clearTimeout(timer);
  }

  /**
   * Tries once to store the queued writes. If this attempt fails, the writes are lost, and the loss
   * is reported.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Waits until the next turn of the event loop, so that writes deferred in this turn are written
    // together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writeOnce(batch);
      } catch (error) {
        if (this.#closed) {
          this.#onLost(batch.length, error);
          return;
        }
        this.#waiting.unshift(...batch);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /**
   * Runs the writes in one transaction. If the connection was lost during the commit, finds out
   * whether the transaction was committed. Throws if it was not.
   */
  async #writeOnce(batch: readonly Write[]): Promise<void> {
    const transaction: { id: string | null } = { id: null };
    try {
      await this.#engine.write(async (trx) => {
        transaction.id = await idOfTransaction(trx);
        for (const write of batch) await write(trx);
      });
    } catch (error) {
      const { id } = transaction;
      if (id === null || !isBusy(error) || !error.outcomeUnknown) throw error;
      if (!(await this.#wasCommitted(id))) throw error;
    }
  }

  /** Queries the outcome of a transaction until the database knows it. */
  async #wasCommitted(id: string): Promise<boolean> {
    const { read } = this.#engine;
    const state = read.dialect.transactions?.stateOf(id);
    if (state === undefined) return false;
    for (;;) {
      try {
        const found = await read.selectNoFrom(state.as('state')).executeTakeFirst();
        if (found?.state !== 'in progress') return found?.state === 'committed';
      } catch (error) {
        // After a failover, the new server may not know the transaction.
        if (!isBusy(error)) return false;
      }
      if (this.#closed) return false;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Returns the id of the running transaction; null if the outcome of every commit is known. */
async function idOfTransaction(trx: Database): Promise<string | null> {
  const { transactions } = trx.dialect;
  if (transactions === null) return null;
  const { id } = await trx.selectNoFrom(transactions.currentId.as('id')).executeTakeFirstOrThrow();
  return id;
}
