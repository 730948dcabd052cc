/**
 * Saves items as they are added, one group at a time. Items added during a save are saved together
 * afterwards. So no item waits for a timer, and many quick items share a commit.
 */
export class GroupedSaves<T> {
  readonly #save: (group: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  /**
   * The save that has not started yet and will include all queued items; null if none is queued.
   */
  #next: Promise<void> | null = null;
  /** The newest save, running or upcoming. The next save starts after it. */
  #last: Promise<void> = Promise.resolve();

  constructor(save: (group: readonly T[]) => Promise<void>) {
    this.#save = save;
  }

  /** Resolves when the item is saved; rejects if the save of the item's group fails. */
  add(item: T): Promise<void> {
    this.#waiting.push(item);
    if (this.#next === null) this.#last = this.#next = this.#saveAfter(this.#last);
    return this.#next;
  }

  async #saveAfter(last: Promise<void>): Promise<void> {
    await last.catch(() => undefined);
    const group = this.#waiting;
    this.#waiting = [];
    this.#next = null;
    await this.#save(group);
  }
}
