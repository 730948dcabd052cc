import { busy } from '../errors.ts';
import { FairQueue, type Owner } from './fair-queue.ts';

/** Limits how long a caller waits for a slot. */
export interface WaitLimits {
  /** Maximum time in milliseconds; undefined for no limit. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The owner of the caller's work. Null, the default, is the program itself. */
  readonly owner?: Owner | undefined;
}

/**
 * Limits concurrency. A limiter has `places` slots, and a caller needs a slot to run. Free slots go
 * to the owners of waiting callers in round-robin order. The callers of one owner wait in the order
 * of their calls.
 */
export class Limiter {
  readonly #maxWaiting: number;
  readonly #waiting: FairQueue<() => void>;
  #free: number;

  constructor(places: number, options: { maxWaiting?: number } = {}) {
    this.#free = places;
    const max = options.maxWaiting ?? Number.POSITIVE_INFINITY;
    this.#maxWaiting = max;
    this.#waiting = new FairQueue({ max, maxPerOwner: max });
  }

  /** Returns the number of callers that wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a slot. Returns a function that frees the slot. The caller must call this function
   * exactly once. Throws busy() if `maxWaiting` callers are already waiting, or if no slot is free
   * within `waitMs`. Throws the signal's reason if the signal is aborted first.
   */
  async acquire(limits: WaitLimits = {}): Promise<() => void> {
    limits.signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.size >= this.#maxWaiting) throw busy();
    else await this.#wait(limits);
    return () => this.#leave();
  }

  /**
   * Waits for a slot, then runs the work and returns the result. Throws the same errors as
   * `acquire`, and any error of the work.
   */
  async run<T>(work: () => Promise<T>, limits?: WaitLimits): Promise<T> {
    const leave = await this.acquire(limits);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #wait({ waitMs, signal, owner = null }: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      // `stopWaiting` must stay synchronous. Otherwise, a caller that has stopped waiting could
      // still get a slot.
      const stopWaiting = () => {
        this.#waiting.remove(owner, onPlace);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const onPlace = () => {
        stopWaiting();
        resolve();
      };
      const onAbort = () => {
        stopWaiting();
        reject(signal?.reason);
      };
      const onTimeout = () => {
        stopWaiting();
        reject(busy());
      };
      const timer = waitMs === undefined ? undefined : setTimeout(onTimeout, waitMs);
      signal?.addEventListener('abort', onAbort);
      this.#waiting.add(owner, onPlace);
    });
  }

  /**
   * Frees a slot. If callers are waiting, one of them gets the slot at once. Otherwise a new caller
   * could take the slot first.
   */
  #leave(): void {
    const next = this.#waiting.next();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
