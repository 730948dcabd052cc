import { availableParallelism } from 'node:os';
import { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import type { ClientContext } from '../../../core/shared/requests/client-context.ts';
import {
  defaultLimits,
  type Lane,
  type ReadLimits,
  ReadQueue,
  type WaitingRead,
} from '../../engine/read-queue.ts';
import type { QueryTarget } from '../database.ts';
import type { BatchReply, Command, QueryReply } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';

const STREAMS_PER_READER = 4;
const SENT_AHEAD = 8;
const SLOW_AFTER_MS = 5;
/**
 * Time that quick queries wait before another thread is started, in ms. Starting a thread takes
 * about this time. A query with a shorter wait is served sooner by a running thread.
 */
const GROW_AFTER_MS = 30;
/**
 * Number of threads that quick queries use while no thread waits for the disk. More threads than
 * processors, beside the main thread, only take turns.
 */
const QUICK_READERS = Math.max(1, availableParallelism() - 1);

interface Reader {
  readonly thread: DatabaseThread;
  streams: number;
  /**
   * Time of the last reply of the thread, or of the first command after the thread was idle. In ms
   * by `performance.now()`.
   */
  movedAt: number;
  /**
   * True if the thread runs a query of the long lane, or will run such a query after its pending
   * commands.
   */
  isLong: boolean;
}

/** Settings for starting more reading threads on demand. */
export interface MoreReaders {
  /** Maximum number of threads, including the first one. */
  readonly maxThreads: number;
  readonly start: () => Promise<DatabaseThread>;
}

/**
 * The pool of reading threads. SELECTs wait in two queues, the lanes, and are sent to the least
 * busy thread. At least one thread takes no queries of the long lane, unless the pool is limited to
 * one thread.
 *
 * A thread gets no more work while it runs a query of the long lane, or a quick query that turns
 * out to be slow. Quick queries that arrive later therefore do not wait for such a query.
 */
export class ReaderPool {
  readonly #readers: Reader[] = [];
  readonly #maxThreads: number;
  readonly #start: () => Promise<DatabaseThread>;
  readonly #streams: Limiter;
  readonly #lanes: Record<Lane, ReadQueue<QueryReply>>;
  readonly #longMs: number;
  #starting: Promise<void> | undefined;
  #growing: NodeJS.Timeout | undefined;
  #lastCursor = 0;
  #onIdle: (() => void) | undefined; // set when the pool is closing

  constructor(
    first: DatabaseThread,
    { maxThreads, start }: MoreReaders = { maxThreads: 1, start: async () => first },
    given: Partial<ReadLimits> = {},
  ) {
    const limits = { ...defaultLimits, ...given };
    this.#maxThreads = maxThreads;
    this.#start = start;
    this.#add(first);
    this.#streams = new Limiter(maxThreads * STREAMS_PER_READER);
    this.#lanes = {
      quick: new ReadQueue(limits.quick, limits.waitMs),
      long: new ReadQueue(limits.long, limits.waitMs),
    };
    this.#longMs = limits.longMs;
  }

  /** Returns the object that receives the queries of a lane. */
  lane(lane: Lane): QueryTarget {
    return {
      noTransaction: 'a transaction is opened by write(), not on a read handle',
      query: async (sql, params) => {
        this.#checkOpen();
        return this.#lanes[lane].wait(sql, params, () => this.#send());
      },
      stream: (sql, params) => this.#stream(sql, params),
    };
  }

  /** Returns the number of SELECTs that wait in a lane. */
  waiting(lane: Lane): number {
    return this.#lanes[lane].size;
  }

  /**
   * Refuses new queries, waits until all earlier queries have their results, and ends the threads.
   */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#send();
    });
    clearTimeout(this.#growing);
    await this.#starting;
    for (const { thread } of this.#readers) await thread.stop();
  }

  #checkOpen(): void {
    if (this.#onIdle) throw new Error('the database is closed');
  }

  #send(): void {
    const { quick, long } = this.#lanes;
    while (long.size > 0 && this.#mayRunLong()) {
      const reader = this.#freeReader(this.#readers.length);
      if (!reader) break;
      void this.#runLong(reader, long.next() as WaitingRead<QueryReply>);
    }
    while (quick.size > 0) {
      const reader = this.#freeReader(QUICK_READERS);
      if (!reader) break;
      const { sql, params, resolve } = quick.next() as WaitingRead<QueryReply>;
      resolve(this.#run(reader, { op: 'query', sql, params }));
    }
    if (long.size > 0) this.#grow();
    else if (quick.size > 0) this.#growSoon();
    const isWorking = this.#readers.some(({ thread }) => thread.inFlight > 0);
    if (!isWorking && quick.size + long.size === 0) this.#onIdle?.();
  }

  #runLong(
    reader: Reader,
    { sql, params, client: requester, resolve }: WaitingRead<QueryReply>,
  ): void {
    reader.isLong = true;
    const reply = this.#run<QueryReply>(reader, { op: 'query', sql, params });
    const stopWatching = this.#interruptInTime(reader.thread, requester);
    resolve(
      reply.finally(() => {
        stopWatching();
        reader.isLong = false;
        this.#send();
      }),
    );
  }

  /**
   * Watches the command that was sent last. Interrupts the command if it takes too long, or if its
   * client no longer waits. Returns a function that ends the watch.
   */
  #interruptInTime(thread: DatabaseThread, client: ClientContext | undefined): () => void {
    if (client === undefined) return () => undefined;
    const id = thread.lastSent;
    const interrupt = () => thread.interrupt(id);
    const timer = setTimeout(interrupt, this.#longMs);
    const { signal } = client;
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    };
  }

  async *#stream(sql: string, params: readonly unknown[]): AsyncGenerator<BatchReply> {
    const leave = await this.#streams.acquire();
    if (this.#readers.every(({ streams }) => streams > 0)) this.#grow();
    const reader = this.#readers.reduce((a, b) => (b.streams < a.streams ? b : a));
    const cursor = ++this.#lastCursor;
    let isOpen = true;
    reader.streams++;
    try {
      while (isOpen) {
        this.#checkOpen();
        isOpen = false; // a failed fetch closes the stream itself
        const batch = await this.#run<BatchReply>(reader, { op: 'fetch', cursor, sql, params });
        isOpen = !batch.isLast;
        if (batch.rows.length > 0) yield batch;
      }
    } finally {
      if (isOpen) await this.#run(reader, { op: 'drop', cursor }).catch(() => undefined);
      reader.streams--;
      leave();
    }
  }

  async #run<T>(reader: Reader, command: Command): Promise<T> {
    if (reader.thread.inFlight === 0) reader.movedAt = performance.now();
    try {
      return await reader.thread.request<T>(command);
    } finally {
      reader.movedAt = performance.now();
      this.#send();
    }
  }

  /**
   * Returns true if a query of the long lane may start now. One thread must remain for quick
   * queries, unless the pool is limited to one thread.
   */
  #mayRunLong(): boolean {
    const running = this.#readers.filter(({ isLong }) => isLong).length;
    return running < Math.max(this.#maxThreads === 1 ? 1 : 0, this.#readers.length - 1);
  }

  #add(thread: DatabaseThread): void {
    this.#readers.push({ thread, streams: 0, movedAt: 0, isLong: false });
  }

  /**
   * Starts one more thread after `GROW_AFTER_MS` if quick queries still wait then and would use it.
   */
  #growSoon(): void {
    if (this.#starting || this.#readers.length >= this.#maxThreads) return;
    this.#growing ??= setTimeout(() => {
      this.#growing = undefined;
      if (this.#lanes.quick.size > 0 && this.#moving().length < QUICK_READERS) this.#grow();
    }, GROW_AFTER_MS);
  }

  /**
   * Starts one more thread if the limit allows it. Waiting queries are then sent to this thread.
   */
  #grow(): void {
    if (this.#starting || this.#readers.length >= this.#maxThreads) return;
    this.#starting = this.#start().then(
      (thread) => {
        this.#starting = undefined;
        this.#add(thread);
        this.#send();
      },
      () => {
        this.#starting = undefined; // the other threads go on; the next waiting query tries again
      },
    );
  }

  /**
   * Returns the least busy of the first `count` threads that are not stuck; undefined if all of
   * these are fully busy.
   */
  #freeReader(count: number): Reader | undefined {
    const least = this.#moving().slice(0, count).reduce(lessBusy, undefined);
    return least && least.thread.inFlight < SENT_AHEAD ? least : undefined;
  }

  /** Returns the threads that run neither a query of the long lane nor one that is slow. */
  #moving(): Reader[] {
    const now = performance.now();
    return this.#readers.filter(({ thread, isLong, movedAt }) => {
      return !isLong && (thread.inFlight === 0 || now - movedAt <= SLOW_AFTER_MS);
    });
  }
}

function lessBusy(least: Reader | undefined, reader: Reader): Reader {
  return least === undefined || reader.thread.inFlight < least.thread.inFlight ? reader : least;
}
