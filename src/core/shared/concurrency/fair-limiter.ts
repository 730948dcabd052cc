import { busy } from '../errors.ts';
import { FairQueue, type Owner, type QueueLimits } from './fair-queue.ts';

/** Numbers of slots: tasks that may run concurrently, in total (`all`) and for each owner. */
export interface SlotLimits {
  readonly all: number;
  /**
   * Maximum number of slots for each owner, so that other owners need not wait. Equal to `all` by
   * default.
   */
  readonly maxPerOwner?: number;
}

interface WaitingTask {
  readonly owner: Owner;
  readonly begin: () => void;
}

/**
 * Limits concurrency like a `Limiter`. Free slots go to the owners of waiting tasks in round-robin
 * order.
 */
export class FairLimiter {
  readonly #waiting: FairQueue<WaitingTask>;
  readonly #maxPerOwner: number;
  readonly #running = new Map<Owner, number>();
  #free: number;

  constructor({ all, maxPerOwner: ofOne = all }: SlotLimits, bounds: QueueLimits) {
    this.#free = all;
    this.#maxPerOwner = ofOne;
    this.#waiting = new FairQueue(bounds);
  }

  /** Number of tasks that wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a slot, then runs the work and returns the result. Throws busy() if the queue has no
   * room for another task of this owner. Throws any error of the work.
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

  /**
   * Returns true if an owner may use another slot. The program itself (`null`) may use all slots.
   */
  #mayRun(owner: Owner): boolean {
    return owner === null || (this.#running.get(owner) ?? 0) < this.#maxPerOwner;
  }

  #take(owner: Owner): void {
    this.#free -= 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  /**
   * Frees a slot of the owner and passes the slot to the next waiting task at once. Otherwise a new
   * caller could take the slot first.
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
