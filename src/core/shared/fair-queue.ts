/** How many things may wait. */
export interface QueueBounds {
  readonly most: number;
  /** Of one owner; less than `most`, so that nobody alone fills the queue. */
  readonly mostOfOne: number;
}

/** Whose a waiting thing is; null for the program's own, which is never refused. */
export type Owner = string | null;

/** Things that wait for a turn: those of one owner in the order in which they came, the owners by turns. */
export class FairQueue<T> {
  readonly #bounds: QueueBounds;
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<Owner, T[]>();
  #size = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** False where there was no room for it. */
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

  /** Takes out what is next of those whose turn it may be, anybody's unless it is told; undefined where there is none. */
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

  /** Takes out one that waits no longer. */
  remove(owner: Owner, thing: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(thing);
    if (at === -1) return;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#size -= 1;
  }
}
