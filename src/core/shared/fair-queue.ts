/** Maximum numbers of items in a queue. */
export interface QueueBounds {
  readonly most: number;
  /**
   * Maximum number of items of one owner. It is less than `most`, so that no owner can fill the
   * queue.
   */
  readonly mostOfOne: number;
}

/**
 * The owner of a queued item. Null stands for the program itself, whose items are always accepted.
 */
export type Owner = string | null;

/** A queue in which the owners take turns. The items of each owner stay in their order. */
export class FairQueue<T> {
  readonly #bounds: QueueBounds;
  /** The items of each owner. The owner whose turn is next comes first. */
  readonly #waiting = new Map<Owner, T[]>();
  #size = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item. Returns false if the queue has no room for it. */
  add(owner: Owner, thing: T): boolean {
    const own = this.#waiting.get(owner) ?? [];
    if (owner !== null) {
      const { most, mostOfOne } = this.#bounds;
      if (this.#size >= most || own.length >= mostOfOne) return false;
    }
    own.push(thing);
    this.#waiting.set(owner, own);
    this.#size += 1;
    return true;
  }

  /**
   * Removes and returns the next item whose owner `mayBe` accepts; by default, every owner is
   * accepted. Returns undefined if there is no such item.
   */
  next(mayBe: (owner: Owner) => boolean = () => true): T | undefined {
    const turn = this.#waiting.entries().find(([owner]) => mayBe(owner));
    if (turn === undefined) return undefined;
    const [owner, own] = turn;
    this.#waiting.delete(owner);
    const thing = own.shift();
    if (own.length > 0) this.#waiting.set(owner, own); // behind the other owners
    this.#size -= 1;
    return thing;
  }

  /** Removes an item from the queue, if it is still there. */
  remove(owner: Owner, thing: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(thing);
    if (at === -1) return;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#size -= 1;
  }
}
