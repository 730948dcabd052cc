/**
 * Saves items in groups, one group at a time. Items that are added during a save are saved together
 * in the next group. No item waits for a timer, and items that are added in quick succession share
 * a commit.
 */
export class GroupedSaves<T> {
  readonly #save: (group: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  /**
   * The next save, which has not started yet and will include all queued items. Null if no item is
   * queued.
   */
  #next: Promise<void> | null = null;
  /**
   * The newest save, which is running, ended or not started yet. The next save starts after this
   * save.
   */
  #last: Promise<void> = Promise.resolve();

  constructor(save: (group: readonly T[]) => Promise<void>) {
    this.#save = save;
  }

  /**
   * Adds an item. Resolves when the item is saved. Rejects if the save of the item's group fails.
   */
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
