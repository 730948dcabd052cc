import { Limiter } from '../../core/shared/limiter.ts';
import type { QueryTarget } from './database.ts';
import type { BatchReply, Command, QueryReply } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';

const STREAMS_PER_READER = 4;
const SENT_AHEAD = 8;
const SLOW_AFTER_MS = 5;

interface Reader {
  thread: DatabaseThread;
  streams: number;
  /** When it last answered, or got its first command after a rest. */
  movedAt: number;
}

interface Waiting {
  sql: string;
  params: readonly unknown[];
  resolve: (reply: Promise<QueryReply>) => void;
}

/**
 * The reading threads. Queries wait here, in order, and go to the least busy thread; a thread that is working
 * on a slow one gets no more, so that quick queries do not stand behind it.
 */
export class ReaderPool implements QueryTarget {
  readonly noTransaction = 'a transaction is opened by write(), not on the read handle';
  readonly #readers: Reader[];
  readonly #streams: Limiter;
  readonly #waiting: Waiting[] = [];
  #lastCursor = 0;
  #onRest: (() => void) | undefined; // set when the pool is closing

  constructor(threads: DatabaseThread[]) {
    this.#readers = threads.map((thread) => ({ thread, streams: 0, movedAt: 0 }));
    this.#streams = new Limiter(threads.length * STREAMS_PER_READER);
  }

  async query(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    this.#checkOpen();
    return new Promise((resolve) => {
      this.#waiting.push({ sql, params, resolve });
      this.#send();
    });
  }

  async *stream(sql: string, params: readonly unknown[]): AsyncGenerator<BatchReply> {
    const leave = await this.#streams.enter();
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

  /** Refuses new queries and resolves when those that were asked have their answers. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      this.#send();
    });
  }

  #checkOpen(): void {
    if (this.#onRest) throw new Error('the database is closed');
  }

  #send(): void {
    while (this.#waiting.length > 0) {
      const reader = this.#freeReader();
      if (!reader) return;
      const { sql, params, resolve } = this.#waiting.shift() as Waiting;
      resolve(this.#ask(reader, { op: 'query', sql, params }));
    }
    if (this.#readers.every(({ thread }) => thread.inFlight === 0)) this.#onRest?.();
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

  #freeReader(): Reader | undefined {
    const now = performance.now();
    let best: Reader | undefined;
    for (const reader of this.#readers) {
      const { inFlight } = reader.thread;
      const isStuck = inFlight > 0 && now - reader.movedAt > SLOW_AFTER_MS;
      if (isStuck || inFlight >= SENT_AHEAD) continue;
      if (!best || inFlight < best.thread.inFlight) best = reader;
    }
    return best;
  }
}
