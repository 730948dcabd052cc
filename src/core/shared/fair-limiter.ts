import { busy } from './errors.ts';
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts';

/** How many works may run at a time. */
export interface Places {
  readonly all: number;
  /** Limit per owner, so that others need not wait for a place; `all` by default. */
  readonly ofOne?: number;
}

interface Waiting {
  readonly owner: Owner;
  readonly begin: () => void;
}

/** Limits concurrency like a `Limiter`, but gives the places to the waiting owners in turn. */
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

  /** Number of works that wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs work that has a place while it runs, and returns its result. Throws busy() if too many
   * wait already, and any error of the work.
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

  /** Whether an owner may take a place; the program's own work may take every place. */
  #mayRun(owner: Owner): boolean {
    return owner === null || (this.#running.get(owner) ?? 0) < this.#mostOfOne;
  }

  #take(owner: Owner): void {
    this.#free -= 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  /** Hands the place on at once, so that no new caller gets it before those that wait. */
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
