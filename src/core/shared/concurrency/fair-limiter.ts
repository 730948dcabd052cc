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
   * Waits for a slot. Returns a function that frees the slot. The caller must call this function
   * exactly once. Throws busy() if the queue has no room for another task of this owner. Throws the
   * signal's reason if the signal is aborted first.
   */
  async acquire(owner: Owner, signal?: AbortSignal): Promise<() => void> {
    await this.#enter(owner, signal);
    return () => this.#leave(owner);
  }

  /**
   * Waits for a slot, then runs the work and returns the result. The work begins at once if a slot
   * is free. Throws the same errors as `acquire`, and any error of the work.
   */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const waiting = this.#enter(owner, signal);
    if (waiting !== undefined) await waiting;
    try {
      return await work();
    } finally {
      this.#leave(owner);
    }
  }

  /**
   * Takes a slot if one is free. Otherwise returns a promise that resolves when the task has a
   * slot.
   */
  #enter(owner: Owner, signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (this.#free === 0 || !this.#mayRun(owner)) return this.#wait(owner, signal);
    this.#take(owner);
    return undefined;
  }

  #wait(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const task = { owner, begin };
      const onAbort = () => {
        this.#waiting.remove(owner, task);
        reject(signal?.reason);
      };
      if (!this.#waiting.add(owner, task)) return reject(busy());
      signal?.addEventListener('abort', onAbort, { once: true });
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
