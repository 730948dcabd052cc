import { busy } from './errors.ts';
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts';

/** Maximum number of tasks that run concurrently. */
export interface Places {
  readonly all: number;
  /** Maximum number for each owner, so that other owners need not wait; `all` by default. */
  readonly ofOne?: number;
}

interface Waiting {
  readonly owner: Owner;
  readonly begin: () => void;
}

/**
 * Limits concurrency like a `Limiter`. When a place becomes free, the waiting owners take turns.
 */
export class FairLimiter {
  readonly #waiting: FairQueue<Waiting>;
  readonly #mostOfOne: number;
  readonly #running = new Map<Owner, number>();
  #free: number;

  constructor({ all, ofOne = all }: Places, bounds: QueueBounds) {
    this.#free = all;
    this.#mostOfOne = ofOne;
    this.#waiting = new FairQueue(bounds);
  }

  /** Number of tasks that wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a place, then runs the work and returns its result. Throws busy() if too many tasks
   * are waiting, and any error of the work.
   */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#mayRun(owner)) this.#take(owner);
    else await this.#wait(owner);
    try {
      return await work();
    } finally {
      this.#leave(owner);
    }
  }

  #wait(owner: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#waiting.add(owner, { owner, begin: resolve })) reject(busy());
    });
  }

  /** Returns whether an owner may take another place. The program itself may take all places. */
  #mayRun(owner: Owner): boolean {
    return owner === null || (this.#running.get(owner) ?? 0) < this.#mostOfOne;
  }

  #take(owner: Owner): void {
    this.#free -= 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  /**
   * Gives the place to the next waiting task at once, so that a new caller cannot take it first.
   */
  #leave(owner: Owner): void {
    const running = (this.#running.get(owner) ?? 0) - 1;
    if (running > 0) this.#running.set(owner, running);
    else this.#running.delete(owner);
    this.#free += 1;
    const next = this.#waiting.next((waiting) => this.#mayRun(waiting));
    if (next === undefined) return;
    this.#take(next.owner);
    next.begin();
  }
}
