/** Limits on the number of items in a queue. `max` is the limit for all owners together. */
export interface QueueLimits {
  readonly max: number;
  /**
   * Maximum number of items of one owner, which is lower than `max` so that no owner can fill the
   * queue.
   */
  readonly maxPerOwner: number;
}

/**
 * The owner of a queued item. Null means the program itself. The queue always accepts items of the
 * program.
 */
export type Owner = string | null;

/**
 * A queue that serves the owners in round-robin order. The items of one owner are returned in the
 * order of the `add` calls.
 */
export class FairQueue<T> {
  readonly #bounds: QueueLimits;
  /** The waiting items of each owner. The first entry belongs to the owner who is served next. */
  readonly #waiting = new Map<Owner, T[]>();
  #size = 0;

  constructor(bounds: QueueLimits) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item. Returns false if the queue has no room for another item of this owner. */
  add(owner: Owner, item: T): boolean {
    const own = this.#waiting.get(owner) ?? [];
    if (owner !== null) {
      const { max, maxPerOwner } = this.#bounds;
      if (this.#size >= max || own.length >= maxPerOwner) return false;
    }
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size += 1;
    return true;
  }

  /**
   * Removes and returns the next item whose owner `mayBe` accepts. By default, `mayBe` accepts
   * every owner. Returns undefined if no item qualifies.
   */
  next(mayBe: (owner: Owner) => boolean = () => true): T | undefined {
    const turn = this.#waiting.entries().find(([owner]) => mayBe(owner));
    if (turn === undefined) return undefined;
    const [owner, own] = turn;
    this.#waiting.delete(owner);
    const item = own.shift();
    if (own.length > 0) this.#waiting.set(owner, own); // after the other owners
    this.#size -= 1;
    return item;
  }

  /** Removes an item from the queue. Does nothing if the queue no longer contains the item. */
  remove(owner: Owner, item: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(item);
    if (at === -1) return;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#size -= 1;
  }
}
