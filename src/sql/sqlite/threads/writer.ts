import { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import { busy } from '../../../core/shared/errors.ts';
import { currentClient } from '../../../core/shared/requests/client-context.ts';
import type { Bulk, Work } from '../../engine/engine.ts';
import type { WriteOptions } from '../../engine/write-options.ts';
import { databaseOver, type QueryTarget } from '../database.ts';
import { IdleRollback } from '../errors.ts';
import type { Command, Ends, Failure, Part, QueryReply, Statement } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';
import { toSent } from './values.ts';

const BULK_ROWS_PER_MESSAGE = 1000;
/** Maximum length of the texts in one message, in characters. */
const BULK_TEXT_PER_MESSAGE = 1024 * 1024;
const DEFAULT_BUSY_MS = 4500;
/**
 * Time that a part of long work may take, in ms. While other writes wait, the time is `min`,
 * because a login may wait for the write lock twice. Otherwise the time grows by the factor
 * `growth` up to `max`, because many small commits take longer than a few large ones.
 */
const partDuration = { min: 20, max: 100, growth: 1.25 };

/** Uses the only connection that writes. Runs one transaction at a time. */
export class Writer<T> {
  readonly #thread: DatabaseThread;
  readonly #turns = new Limiter(1);
  #partMs = partDuration.min;

  constructor(thread: DatabaseThread) {
    this.#thread = thread;
  }

  /** Returns how long the next part of long work may take, in ms (`Engine.partMs`). */
  get partMs(): number {
    return this.#partMs;
  }

  async write<R>(work: Work<R, T>, options: WriteOptions = {}): Promise<R> {
    const { busyMs = DEFAULT_BUSY_MS, isPart = false, mayIdle = false } = options;
    const deadline = performance.now() + busyMs;
    const leave = await this.#enter(busyMs);
    let othersWait = false;
    const begin = async (until: number) => {
      const waitMs = until - performance.now();
      const hadToWait = await this.#thread.request<boolean>({
        op: 'begin',
        waitMs,
        part: isPart ? this.#nextPart() : null,
        mayIdle,
      });
      othersWait ||= hadToWait;
    };
    try {
      const first = await this.#tryWrite(work, () => begin(deadline));
      if ('result' in first) return first.result;
      othersWait = true;
      // Tries a second time. The waiting process has had the lock by now, and this thread is
      // responsive again.
      const second = await this.#tryWrite(work, () => begin(performance.now() + busyMs));
      if ('result' in second) return second.result;
      throw busy(second.undone);
    } finally {
      if (isPart) this.#adaptParts(othersWait || this.#turns.waiting > 0);
      leave();
    }
  }

  /** Networks take turns, so that many writes for one network do not delay a login from another. */
  #enter(waitMs: number): Promise<() => void> {
    return this.#turns.acquire({ waitMs, owner: currentClient()?.network ?? null });
  }

  #nextPart(): Part {
    return this.#partMs < partDuration.max ? 'short' : 'long';
  }

  #adaptParts(othersWait: boolean): void {
    const { min, max, growth } = partDuration;
    this.#partMs = othersWait ? min : Math.min(this.#partMs * growth, max);
  }

  /**
   * Runs the transaction once. Returns `undone` if the transaction was rolled back because it was
   * idle while another process waited.
   */
  async #tryWrite<R>(
    work: Work<R, T>,
    begin: () => Promise<unknown>,
  ): Promise<{ result: R } | { undone: IdleRollback }> {
    const handle = new WriteHandle(this.#thread);
    try {
      await begin();
      const result = await work(databaseOver<T>(handle), handle);
      await handle.commit();
      return { result };
    } catch (error) {
      await handle.rollback();
      if (handle.failure instanceof IdleRollback) return { undone: handle.failure };
      throw error;
    }
  }

  /** Runs one statement that is a transaction of its own. */
  async single(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    const deadline = performance.now() + DEFAULT_BUSY_MS;
    const leave = await this.#enter(DEFAULT_BUSY_MS);
    try {
      const waitMs = deadline - performance.now();
      return await this.#thread.request({ op: 'single', sql, params, waitMs });
    } catch (error) {
      await this.#thread.request({ op: 'rollback' }).catch(() => undefined);
      throw error;
    } finally {
      leave();
    }
  }

  async stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R> {
    const handle = new StageHandle(this.#thread, this.#turns, signal);
    return work(databaseOver<T>(handle), handle);
  }

  /** Grows the write-ahead log to at least `bytes`. */
  async reserveSpace(bytes: number): Promise<void> {
    await this.#turns.run(() => this.#thread.request({ op: 'keep-room', bytes }));
  }

  /** Resolves when all work that began earlier has ended, or has sent its last command. */
  async whenIdle(): Promise<void> {
    // The program's turn may come before that of a client who began to wait earlier.
    while (await this.#turns.run(async () => this.#turns.waiting > 0));
  }
}

/**
 * The handle that is passed to the work of write(). The handle can be used until the work returns.
 */
class WriteHandle implements QueryTarget, Bulk {
  readonly noTransaction = 'write() is the transaction: another one cannot be opened inside';
  readonly stream = refuseStream;
  readonly #thread: DatabaseThread;
  /** The error of the statement at which SQLite ended the transaction early. */
  failure: unknown;
  #isOver = false;

  constructor(thread: DatabaseThread) {
    this.#thread = thread;
  }

  query(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    return this.#request({ op: 'query', sql, params });
  }

  queryAll(statements: readonly Statement[]): Promise<QueryReply[]> {
    return this.#request({ op: 'queries', statements });
  }

  run(sql: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    return runInParts(rows, (part) => this.#request<number>({ op: 'bulk', sql, rows: part }));
  }

  async commit(): Promise<void> {
    const committed = this.query('commit', []);
    this.#isOver = true;
    await committed;
  }

  async rollback(): Promise<void> {
    this.#isOver = true;
    // If the thread has died, the transaction is rolled back anyway. The original error is thrown
    // by the caller.
    await this.#thread.request({ op: 'rollback' }).catch(() => undefined);
  }

  async #request<T>(command: Command): Promise<T> {
    if (this.#isOver)
      throw new Error('the transaction has ended: await every query inside write()');
    if (this.failure) throw this.failure;
    let hasEnded = false;
    const onFailure = (failure: Failure) => {
      hasEnded = failure.transactionEnded;
    };
    try {
      return await this.#thread.request<T>(command, onFailure);
    } catch (error) {
      if (hasEnded) this.failure = error;
      throw error;
    }
  }
}

/**
 * The handle that is passed to the work of stage(). Each query waits for the connection separately,
 * so that transactions can run between two queries.
 */
class StageHandle implements QueryTarget, Bulk {
  readonly noTransaction = 'stage() has no transaction';
  readonly stream = refuseStream;
  readonly #thread: DatabaseThread;
  readonly #turns: Limiter;
  readonly #signal: AbortSignal | undefined;

  constructor(thread: DatabaseThread, turns: Limiter, signal: AbortSignal | undefined) {
    this.#thread = thread;
    this.#turns = turns;
    this.#signal = signal;
  }

  query(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    return this.#inTurn(() =>
      this.#thread.request({ op: 'query', sql, params, inLittleMemory: true }),
    );
  }

  queryAll(statements: readonly Statement[]): Promise<QueryReply[]> {
    return this.#inTurn(() =>
      this.#thread.request({ op: 'queries', statements, inLittleMemory: true }),
    );
  }

  async run(sql: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    if (rows.length === 0) return 0;
    const send = (part: (readonly unknown[])[], ends: Ends) =>
      this.#thread.request<number>({ op: 'bulk', sql, rows: part, ends });
    if (endOfPart(rows, 0) < rows.length) {
      return this.#inTurn(() => runInParts(rows, send).catch((error) => this.#rollback(error)));
    }
    // A single message is a transaction of its own. It need not be waited for, because the thread
    // runs its messages in order. So the thread never waits for the next rows.
    const { changes } = await this.#inTurn(async () => ({
      changes: send(rows.map(toSent), { begins: true, commits: true }),
    }));
    return changes;
  }

  /** Rolls back a transaction whose next part could not be sent, and throws the error. */
  async #rollback(error: unknown): Promise<never> {
    await this.#thread.request({ op: 'rollback' }).catch(() => undefined);
    throw error;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#signal?.throwIfAborted();
    return this.#turns.run(work);
  }
}

// biome-ignore lint/correctness/useYield: it throws before it could yield
export async function* refuseStream(): AsyncGenerator<never> {
  throw new Error('stream() is had on the read handle only');
}

/**
 * Sends the rows in several parts, so that copying a large message blocks neither thread for long.
 */
async function runInParts(
  rows: readonly (readonly unknown[])[],
  run: (part: (readonly unknown[])[], ends: Ends) => Promise<number>,
): Promise<number> {
  let changes = 0;
  for (let at = 0; at < rows.length; ) {
    const end = endOfPart(rows, at);
    const ends = { begins: at === 0, commits: end === rows.length };
    changes += await run(rows.slice(at, end).map(toSent), ends);
    at = end;
  }
  return changes;
}

/**
 * Returns the end of the part that begins at `start`. A part has at least one row. A part ends when
 * it reaches `BULK_ROWS_PER_MESSAGE` rows or `BULK_TEXT_PER_MESSAGE` characters.
 */
function endOfPart(rows: readonly (readonly unknown[])[], start: number): number {
  let length = 0;
  let at = start;
  while (at < rows.length && at < start + BULK_ROWS_PER_MESSAGE && length < BULK_TEXT_PER_MESSAGE) {
    for (const value of rows[at] ?? []) if (typeof value === 'string') length += value.length;
    at += 1;
  }
  return at;
}
