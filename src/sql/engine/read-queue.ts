import { FairQueue, type QueueLimits } from '../../core/shared/concurrency/fair-queue.ts';
import { busy } from '../../core/shared/errors.ts';
import { type ClientContext, currentClient } from '../../core/shared/requests/client-context.ts';

/** Limits on the reads that clients may queue and run. */
export interface ReadLimits {
  readonly quick: QueueLimits;
  readonly long: QueueLimits;
  /** Maximum time that a client's SELECT waits for a connection, in ms. */
  readonly waitMs: number;
  /** Maximum time that a client's SELECT runs in the long lane, in ms. */
  readonly longMs: number;
}

/**
 * The default limits, which are far above normal use. After `waitMs` or `longMs`, a client has
 * usually disconnected or sent the request again.
 */
export const defaultLimits: ReadLimits = {
  quick: { max: 4_000, maxPerOwner: 1_000 },
  long: { max: 256, maxPerOwner: 64 },
  waitMs: 10_000,
  longMs: 5_000,
};

/**
 * The name of a queue of SELECTs: `quick` for SELECTs that an index answers, `long` for SELECTs
 * that may read whole tables.
 */
export type Lane = 'quick' | 'long';

/** A SELECT that waits for a connection. */
export interface WaitingRead<Reply> {
  readonly sql: string;
  readonly params: readonly unknown[];
  /**
   * The client that the SELECT is for. Undefined for the program's own SELECTs, which have no time
   * limit here.
   */
  readonly client: ClientContext | undefined;
  /** Time when the SELECT was queued, in ms by `performance.now()`. */
  readonly queuedAt: number;
  readonly resolve: (reply: Promise<Reply>) => void;
}

/** The queue of waiting SELECTs in one lane. Clients are served in rotation. */
export class ReadQueue<Reply> {
  readonly #queue: FairQueue<WaitingRead<Reply>>;
  readonly #waitMs: number;

  /** `waitMs` is the maximum time that a client's SELECT waits, in ms. */
  constructor(bounds: QueueLimits, waitMs: number) {
    this.#queue = new FairQueue(bounds);
    this.#waitMs = waitMs;
  }

  get size(): number {
    return this.#queue.size;
  }

  /**
   * Queues a SELECT and returns its reply. Calls `onWaiting` once the SELECT is queued. The caller
   * of `next` runs the SELECT and passes the reply to `resolve`. Throws busy() if the queue is
   * full, no connection is free in time, or the client has disconnected.
   */
  wait(sql: string, params: readonly unknown[], onWaiting: () => void): Promise<Reply> {
    const client = currentClient();
    const owner = client?.network ?? null;
    return new Promise((resolvePromise, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let isWaiting = true;
      const stopWaiting = () => {
        isWaiting = false;
        if (timer === undefined) return;
        clearTimeout(timer);
        client?.signal.removeEventListener('abort', giveUp);
      };
      const resolve = (reply: Promise<Reply>) => {
        stopWaiting();
        resolvePromise(reply);
      };
      const read = { sql, params, client, queuedAt: performance.now(), resolve };
      const giveUp = () => {
        stopWaiting();
        this.#queue.remove(owner, read);
        reject(busy(new Error('no connection was free in time to read the database')));
      };
      if (!this.#queue.add(owner, read)) {
        reject(busy(new Error('too many reads are waiting for the database')));
        return;
      }
      onWaiting();
      if (!isWaiting || client === undefined) return;
      timer = setTimeout(giveUp, this.#waitMs);
      if (client.signal.aborted) giveUp();
      else client.signal.addEventListener('abort', giveUp);
    });
  }

  next(): WaitingRead<Reply> | undefined {
    return this.#queue.next();
  }
}
