import { tick, untrack } from 'svelte';

interface Listed {
  /** Identifies the listed content. Changes when other content is listed. */
  readonly what: unknown;
  readonly total: number;
  /** Returns undefined if the item is not loaded. */
  idAt(index: number): number | undefined;
  /** Returns -1 if the item is not loaded. */
  indexOf(id: number): number;
  /** Whether the focus is on one of its items. */
  hasFocus(): boolean;
  /** Moves the focus to an item once its element exists. */
  move(index: number): void;
}

/**
 * Tracks which item of an indexed list has, or last had, the focus. Decides where the focus goes
 * when the list changes.
 */
export class ListFocus {
  /** The index from which keys move the focus; -1 if there is none yet. */
  active = $state(-1);
  /** Whether the list has the focus, according to the browser's focus events. */
  isIn = $state(false);
  /** Id of the item that has the focus. */
  #held: number | undefined;
  #what: unknown;
  readonly #listed: () => Listed;

  constructor(listed: () => Listed) {
    this.#listed = listed;
  }

  /** Returns the indices to draw, including the focused item even if it is out of sight. */
  with(indices: readonly number[]): readonly number[] {
    const { active, isIn } = this;
    const isMissing = isIn && active >= 0 && active < this.#listed().total;
    return isMissing && !indices.includes(active) ? [...indices, active] : indices;
  }

  /** Records that an item has received, or is about to receive, the focus. */
  set(index: number): void {
    this.active = index;
    this.#held = untrack(() => this.#listed().idAt(index));
  }

  /**
   * Keeps the focus on its item when the list changes. Call it before the list is redrawn. If the
   * item is gone, the focus keeps its position in the same list, or moves to the first item of
   * another list.
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
      this.#held ??= now;
      const held = this.#held;
      if (!isOther && this.active < total && (now === undefined || now === held)) return;
      const found = held === undefined ? -1 : indexOf(held);
      const next = found >= 0 ? found : isOther ? 0 : Math.min(this.active, total - 1);
      if (next >= 0) void tick().then(() => move(next));
    });
  }
}
