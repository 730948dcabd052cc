import type { Asker } from '../../core/shared/asker.ts';
import { Limiter } from '../../core/shared/limiter.ts';
import {
  type Lane,
  type ReadLimits,
  ReadQueue,
  usualLimits,
  type WaitingRead,
} from '../read-queue.ts';
import type { QueryTarget } from './database.ts';
import type { BatchReply, Command, QueryReply } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';

const STREAMS_PER_READER = 4;
const SENT_AHEAD = 8;
const SLOW_AFTER_MS = 5;
/** About what a thread takes to start: who waits for less is served sooner by those that run. */
const GROW_AFTER_MS = 30;

interface Reader {
  readonly thread: DatabaseThread;
  streams: number;
  /** When it last answered, or got its first command after a rest. */
  movedAt: number;
  /** Whether it runs one of the long lane, or will when it has answered what it has. */
  isLong: boolean;
}

/** Reading threads that are started when there is work for them: each takes 13 MiB. */
export interface MoreReaders {
  /** With the first one. */
  readonly most: number;
  readonly start: () => Promise<DatabaseThread>;
}

/**
 * The reading threads. SELECTs wait here, in two lanes, and go to the least busy thread. One thread at least takes none
 * of the long lane, and one that has such a one, or turns out to be working on a slow one, gets no more, so that quick
 * ones do not stand behind it.
 */
export class ReaderPool {
  readonly #readers: Reader[] = [];
  readonly #most: number;
  readonly #start: () => Promise<DatabaseThread>;
  readonly #streams: Limiter;
  readonly #lanes: Record<Lane, ReadQueue<QueryReply>>;
  readonly #longMs: number;
  #starting: Promise<void> | undefined;
  #growing: NodeJS.Timeout | undefined;
  #lastCursor = 0;
  #onRest: (() => void) | undefined; // set when the pool is closing

  constructor(
    first: DatabaseThread,
    { most, start }: MoreReaders = { most: 1, start: async () => first },
    given: Partial<ReadLimits> = {},
  ) {
    const limits = { ...usualLimits, ...given };
    this.#most = most;
    this.#start = start;
    this.#add(first);
    this.#streams = new Limiter(most * STREAMS_PER_READER);
    this.#lanes = {
      quick: new ReadQueue(limits.quick, limits.waitMs),
      long: new ReadQueue(limits.long, limits.waitMs),
    };
    this.#longMs = limits.longMs;
  }

  /** Where SELECTs of a lane go. */
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

  /** How many SELECTs of a lane wait for a thread. */
  waiting(lane: Lane): number {
    return this.#lanes[lane].size;
  }

  /** Refuses new queries, waits until those that were asked have their answers, and ends the threads. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      this.#send();
    });
    clearTimeout(this.#growing);
    await this.#starting;
    for (const { thread } of this.#readers) await thread.stop();
  }

  #checkOpen(): void {
    if (this.#onRest) throw new Error('the database is closed');
  }

  #send(): void {
    const { quick, long } = this.#lanes;
    while (long.size > 0 && this.#mayRunLong()) {
      const reader = this.#freeReader();
      if (!reader) break;
      void this.#runLong(reader, long.next() as WaitingRead<QueryReply>);
    }
    while (quick.size > 0) {
      const reader = this.#freeReader();
      if (!reader) break;
      const { sql, params, resolve } = quick.next() as WaitingRead<QueryReply>;
      resolve(this.#ask(reader, { op: 'query', sql, params }));
    }
    if (long.size > 0) this.#grow();
    else if (quick.size > 0) this.#growSoon();
    const isWorking = this.#readers.some(({ thread }) => thread.inFlight > 0);
    if (!isWorking && quick.size + long.size === 0) this.#onRest?.();
  }

  #runLong(reader: Reader, { sql, params, asker, resolve }: WaitingRead<QueryReply>): void {
    reader.isLong = true;
    const reply = this.#ask<QueryReply>(reader, { op: 'query', sql, params });
    const stopWatching = this.#interruptInTime(reader.thread, asker);
    resolve(
      reply.finally(() => {
        stopWatching();
        reader.isLong = false;
        this.#send();
      }),
    );
  }

  /** Interrupts what the thread was sent last when it takes too long, or when nobody waits for it any more. */
  #interruptInTime(thread: DatabaseThread, asker: Asker | undefined): () => void {
    if (asker === undefined) return () => undefined;
    const id = thread.lastSent;
    const interrupt = () => thread.interrupt(id);
    const timer = setTimeout(interrupt, this.#longMs);
    const { signal } = asker;
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
    };
  }

  async *#stream(sql: string, params: readonly unknown[]): AsyncGenerator<BatchReply> {
    const leave = await this.#streams.enter();
    if (this.#readers.every(({ streams }) => streams > 0)) this.#grow();
    const reader = this.#readers.reduce((a, b) => (b.streams < a.streams ? b : a));
    const cursor = ++this.#lastCursor;
    let isOpen = true;
    reader.streams++;
    try {
      while (isOpen) {
        this.#checkOpen();
        isOpen = false; // a failed fetch drops the cursor by itself
        const batch = await this.#ask<BatchReply>(reader, { op: 'fetch', cursor, sql, params });
        isOpen = !batch.isLast;
        if (batch.rows.length > 0) yield batch;
      }
    } finally {
      if (isOpen) await this.#ask(reader, { op: 'drop', cursor }).catch(() => undefined);
      reader.streams--;
      leave();
    }
  }

  async #ask<T>(reader: Reader, command: Command): Promise<T> {
    if (reader.thread.inFlight === 0) reader.movedAt = performance.now();
    try {
      return await reader.thread.ask<T>(command);
    } finally {
      reader.movedAt = performance.now();
      this.#send();
    }
  }

  /** Whether a thread is left for quick ones then; where there may be but one, it takes all. */
  #mayRunLong(): boolean {
    const running = this.#readers.filter(({ isLong }) => isLong).length;
    return running < Math.max(this.#most === 1 ? 1 : 0, this.#readers.length - 1);
  }

  #add(thread: DatabaseThread): void {
    this.#readers.push({ thread, streams: 0, movedAt: 0, isLong: false });
  }

  /** Starts one more thread if quick ones still wait then. */
  #growSoon(): void {
    if (this.#starting || this.#readers.length >= this.#most) return;
    this.#growing ??= setTimeout(() => {
      this.#growing = undefined;
      if (this.#lanes.quick.size > 0) this.#grow();
    }, GROW_AFTER_MS);
  }

  /** Starts one more thread where there may be one; what waits goes to it. */
  #grow(): void {
    if (this.#starting || this.#readers.length >= this.#most) return;
    this.#starting = this.#start().then(
      (thread) => {
        this.#starting = undefined;
        this.#add(thread);
        this.#send();
      },
      () => {
        this.#starting = undefined; // those that run go on, and the next that waits asks for it again
      },
    );
  }

  #freeReader(): Reader | undefined {
    const now = performance.now();
    let best: Reader | undefined;
    for (const reader of this.#readers) {
      const { inFlight } = reader.thread;
      const isStuck = reader.isLong || (inFlight > 0 && now - reader.movedAt > SLOW_AFTER_MS);
      if (isStuck || inFlight >= SENT_AHEAD) continue;
      if (!best || inFlight < best.thread.inFlight) best = reader;
    }
    return best;
  }
}
