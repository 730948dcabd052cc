/**
 * Saves items as soon as they come, one group at a time: all items that come during a save go into
 * the next one. So no item waits for a timer, and many quick items do not cost a commit each.
 */
export class GroupedSaves<T> {
  readonly #save: (group: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  /** The upcoming save, which will include everything queued so far. */
  #next: Promise<void> | null = null;
  /** The most recently started or upcoming save, which the next one waits for. */
  #last: Promise<void> = Promise.resolve();

  constructor(save: (group: readonly T[]) => Promise<void>) {
    this.#save = save;
  }

  /** Resolves when the item is saved; rejects when the save of its group failed. */
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
