import { busy } from './errors.ts';
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts';

/** How many run at a time. */
export interface Places {
  readonly all: number;
  /** Of one owner, so that another one need not wait for a place; as many as there are unless it is told. */
  readonly ofOne?: number;
}

interface Waiting {
  readonly owner: Owner;
  readonly begin: () => void;
}

/** Limits concurrency as a `Limiter` does, but the places go to the owners of what waits by turns. */
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

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The result of work that has a place while it runs. Throws busy() where too much waits already, and what the work throws. */
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

  /** The program's own may take every place. */
  #mayRun(owner: Owner): boolean {
    return owner === null || (this.#running.get(owner) ?? 0) < this.#mostOfOne;
  }

  #take(owner: Owner): void {
    this.#free -= 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  /** The place is handed on at once, so that none who comes now gets it before those who wait. */
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
