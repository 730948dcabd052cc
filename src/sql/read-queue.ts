import { type Asker, currentAsker } from '../core/shared/asker.ts';
import { busy } from '../core/shared/errors.ts';
import { FairQueue, type QueueBounds } from '../core/shared/fair-queue.ts';

/** Limits on the concurrent reads of clients. */
export interface ReadLimits {
  readonly quick: QueueBounds;
  readonly long: QueueBounds;
  /** Maximum time a client's SELECT waits for a connection, in ms. */
  readonly waitMs: number;
  /** Maximum run time of a client's SELECT in the long lane, in ms. */
  readonly longMs: number;
}

/**
 * Limits far above normal use; a client that waits longer than these times has gone away or
 * retries.
 */
export const usualLimits: ReadLimits = {
  quick: { most: 4_000, mostOfOne: 1_000 },
  long: { most: 256, mostOfOne: 64 },
  waitMs: 10_000,
  longMs: 5_000,
};

/** The queue in which a SELECT waits. */
export type Lane = 'quick' | 'long';

/** A SELECT that waits for a connection. */
export interface WaitingRead<Reply> {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** The client it is for; only reads for clients have time limits. */
  readonly asker: Asker | undefined;
  /** When it was queued, by `performance.now()`. */
  readonly askedAt: number;
  readonly resolve: (reply: Promise<Reply>) => void;
}

/** The waiting SELECTs of one lane, served by client in rotation. */
export class ReadQueue<Reply> {
  readonly #queue: FairQueue<WaitingRead<Reply>>;
  readonly #waitMs: number;

  /** Reads for a client wait at most `waitMs`. */
  constructor(bounds: QueueBounds, waitMs: number) {
    this.#queue = new FairQueue(bounds);
    this.#waitMs = waitMs;
  }

  get size(): number {
    return this.#queue.size;
  }

  /**
   * Queues a read and returns its reply, with which the caller of `next` resolves it. Calls
   * `onWaiting` when it is queued. Throws busy() when the queue is full, no connection is free in
   * time, or the client has gone.
   */
  wait(sql: string, params: readonly unknown[], onWaiting: () => void): Promise<Reply> {
    const asker = currentAsker();
    const owner = asker?.network ?? null;
    return new Promise((settle, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let isWaiting = true;
      const stopWaiting = () => {
        isWaiting = false;
        if (timer === undefined) return;
        clearTimeout(timer);
        asker?.signal.removeEventListener('abort', giveUp);
      };
      const resolve = (reply: Promise<Reply>) => {
        stopWaiting();
        settle(reply);
      };
      const read = { sql, params, asker, askedAt: performance.now(), resolve };
      const giveUp = () => {
        stopWaiting();
        this.#queue.remove(owner, read);
        reject(busy(new Error('no connection was free in time to read the database')));
      };
      if (!this.#queue.add(owner, read)) {
        reject(busy(new Error('too much waits to be read from the database')));
        return;
      }
      onWaiting();
      if (!isWaiting || asker === undefined) return;
      timer = setTimeout(giveUp, this.#waitMs);
      if (asker.signal.aborted) giveUp();
      else asker.signal.addEventListener('abort', giveUp);
    });
  }

  next(): WaitingRead<Reply> | undefined {
    return this.#queue.next();
  }
}
