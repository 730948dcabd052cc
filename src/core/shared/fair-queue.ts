/** Limits of a queue. */
export interface QueueBounds {
  readonly most: number;
  /** Limit per owner; less than `most`, so that no single owner fills the queue. */
  readonly mostOfOne: number;
}

/** The owner of a waiting thing; null for the program's own things, which are never refused. */
export type Owner = string | null;

/** A queue in which the things of one owner keep their order, and the owners take turns. */
export class FairQueue<T> {
  readonly #bounds: QueueBounds;
  /** Things by owner; the owner whose turn is next comes first. */
  readonly #waiting = new Map<Owner, T[]>();
  #size = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a thing; false if there is no room for it. */
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
   * Removes and returns the next thing of the owners that `mayBe` accepts, by default of any owner;
   * undefined if there is none.
   */
  next(mayBe: (owner: Owner) => boolean = () => true): T | undefined {
    const turn = this.#waiting.entries().find(([owner]) => mayBe(owner));
    if (turn === undefined) return undefined;
    const [owner, own] = turn;
    this.#waiting.delete(owner);
    const thing = own.shift();
    if (own.length > 0) this.#waiting.set(owner, own); // behind the others
    this.#size -= 1;
    return thing;
  }

  /** Removes a thing that no longer waits. */
  remove(owner: Owner, thing: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(thing);
    if (at === -1) return;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#size -= 1;
  }
}
