import { type Asker, currentAsker } from '../core/shared/asker.ts';
import { busy } from '../core/shared/errors.ts';
import { FairQueue, type QueueBounds } from '../core/shared/fair-queue.ts';

/** What clients may ask at once. */
export interface ReadLimits {
  readonly quick: QueueBounds;
  readonly long: QueueBounds;
  /** How long a SELECT of a client waits for its turn at most. */
  readonly waitMs: number;
  /** How long one of the long lane runs at most. */
  readonly longMs: number;
}

/** Far above what people do; one who waits for longer than these times has gone away or asks again. */
export const usualLimits: ReadLimits = {
  quick: { most: 4_000, mostOfOne: 1_000 },
  long: { most: 256, mostOfOne: 64 },
  waitMs: 10_000,
  longMs: 5_000,
};

/** Which SELECTs stand behind one another. */
export type Lane = 'quick' | 'long';

/** A SELECT that waits for a connection. */
export interface WaitingRead<Reply> {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** For whom; only theirs are limited in time. */
  readonly asker: Asker | undefined;
  /** By `performance.now()`. */
  readonly askedAt: number;
  readonly resolve: (reply: Promise<Reply>) => void;
}

/** The SELECTs of one lane that wait, the clients' by turns. */
export class ReadQueue<Reply> {
  readonly #queue: FairQueue<WaitingRead<Reply>>;
  readonly #waitMs: number;

  /** A client's wait at most `waitMs`. */
  constructor(bounds: QueueBounds, waitMs: number) {
    this.#queue = new FairQueue(bounds);
    this.#waitMs = waitMs;
  }

  get size(): number {
    return this.#queue.size;
  }

  /**
   * The answer, which whoever takes it with `next` resolves it with; `onWaiting` is told that there is one to take. Throws
   * busy() where there is no room, no turn in time, or nobody waits for it any more.
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
