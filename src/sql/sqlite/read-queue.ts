import { type Asker, currentAsker } from '../../core/shared/asker.ts';
import { busy } from '../../core/shared/errors.ts';
import { FairQueue, type QueueBounds } from '../../core/shared/fair-queue.ts';
import type { QueryReply } from './protocol.ts';

/** A SELECT that waits for a thread. */
export interface WaitingRead {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** For whom; only theirs are limited in time. */
  readonly asker: Asker | undefined;
  readonly resolve: (reply: Promise<QueryReply>) => void;
}

/** The SELECTs of one lane that wait, the clients' by turns. */
export class ReadQueue {
  readonly #queue: FairQueue<WaitingRead>;
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
  wait(sql: string, params: readonly unknown[], onWaiting: () => void): Promise<QueryReply> {
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
      const resolve = (reply: Promise<QueryReply>) => {
        stopWaiting();
        settle(reply);
      };
      const read = { sql, params, asker, resolve };
      const giveUp = () => {
        stopWaiting();
        this.#queue.remove(owner, read);
        reject(busy(new Error('no thread was free in time to read the database')));
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

  next(): WaitingRead | undefined {
    return this.#queue.next();
  }
}
