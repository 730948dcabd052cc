import { busy } from './errors.ts';

/** How long to wait for a place. */
export interface WaitLimits {
  /** Milliseconds; undefined for no limit. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Limits concurrency: up to `places` callers at a time; others wait in the order in which they
 * came.
 */
export class Limiter {
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number, options: { mostWaiting?: number } = {}) {
    this.#free = places;
    this.#mostWaiting = options.mostWaiting ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Waits for a place; returns a function that gives it back, to be called once. Throws busy() if
   * `mostWaiting` callers wait already, or if no place is free within `waitMs`. Throws the signal's
   * reason if it is aborted first.
   */
  async enter(limits: WaitLimits = {}): Promise<() => void> {
    limits.signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.size >= this.#mostWaiting) throw busy();
    else await this.#wait(limits);
    return () => this.#leave();
  }

  /**
   * Runs work that has a place while it runs, and returns its result. Throws like `enter`, and any
   * error of the work.
   */
  async run<T>(work: () => Promise<T>, limits?: WaitLimits): Promise<T> {
    const leave = await this.enter(limits);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #wait({ waitMs, signal }: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      // Synchronous, so that no place goes to a caller that has given up.
      const stopWaiting = () => {
        this.#waiting.delete(onPlace);
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
      this.#waiting.add(onPlace);
    });
  }

  /**
   * Hands the place to the next waiting caller instead of freeing it, so that a new caller does not
   * get it first.
   */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }
}
