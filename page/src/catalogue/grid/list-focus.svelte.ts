import { tick, untrack } from 'svelte';

interface FocusableList {
  /**
   * A value that identifies the list. The value changes when another list is shown, such as after a
   * search.
   */
  readonly what: unknown;
  readonly total: number;
  /** Returns the id of the item at an index, or undefined if the item is not loaded. */
  idAt(index: number): number | undefined;
  /** Returns the index of an item, or -1 if the item is not loaded. */
  indexOf(id: number): number;
  /** Returns true if an item of the list has the focus. */
  hasFocus(): boolean;
  /** Moves the focus to the item at an index. The item's element may have to be created first. */
  move(index: number): void;
}

/**
 * Tracks which item of an indexed list has, or last had, the focus. Decides where the focus goes
 * when the list changes.
 */
export class ListFocus {
  /**
   * Index of the item that has, or last had, the focus. Keys move the focus from this item. The
   * index is -1 if no item has had the focus yet.
   */
  active = $state(-1);
  /** True if the list has the focus, according to the browser's focus events. */
  isIn = $state(false);
  /** Id of the item that has, or last had, the focus. Undefined if that item was not loaded. */
  #activeId: number | undefined;
  #what: unknown;
  readonly #listed: () => FocusableList;

  constructor(listed: () => FocusableList) {
    this.#listed = listed;
  }

  /**
   * Returns the indices to draw, together with the index of the focused item. So the focused item
   * stays in the document and keeps the focus when the user scrolls it out of sight.
   */
  with(indices: readonly number[]): readonly number[] {
    const { active, isIn } = this;
    const isMissing = isIn && active >= 0 && active < this.#listed().total;
    return isMissing && !indices.includes(active) ? [...indices, active] : indices;
  }

  /** Records that the item at an index has received, or will now receive, the focus. */
  set(index: number): void {
    this.active = index;
    this.#activeId = untrack(() => this.#listed().idAt(index));
  }

  /**
   * Keeps the focus on the same item when the list changes. Call `follow` before the list is
   * redrawn. If the item is no longer in the same list, the item now at its index gets the focus.
   * If another list without the item is shown, the first item gets the focus.
   */
  follow(): void {
    const { what, total, idAt, indexOf, hasFocus, move } = this.#listed();
    const now = idAt(this.active);
    untrack(() => {
      const isOther = this.#what !== what;
      this.#what = what;
      if (!hasFocus()) {
        if (isOther) this.active = -1;
        return;
      }
      this.#activeId ??= now;
      const activeId = this.#activeId;
      if (!isOther && this.active < total && (now === undefined || now === activeId)) return;
      const found = activeId === undefined ? -1 : indexOf(activeId);
      const next = found >= 0 ? found : isOther ? 0 : Math.min(this.active, total - 1);
      if (next >= 0) void tick().then(() => move(next));
    });
  }
}
