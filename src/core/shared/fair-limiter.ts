import { busy } from './errors.ts';
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts';

/** Limits concurrency as a `Limiter` does, but the places go to the owners of what waits by turns. */
export class FairLimiter {
  readonly #waiting: FairQueue<() => void>;
  #free: number;

  constructor(places: number, bounds: QueueBounds) {
    this.#free = places;
    this.#waiting = new FairQueue(bounds);
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The result of work that has a place while it runs. Throws busy() where too much waits already, and what the work throws. */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(owner);
    try {
      return await work();
    } finally {
      const next = this.#waiting.next();
      if (next === undefined) this.#free += 1;
      else next(); // the place is handed on
    }
  }

  #wait(owner: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#waiting.add(owner, resolve)) reject(busy());
    });
  }
}
