import { tick, untrack } from 'svelte';

interface Listed {
  /** Changes when something else is listed. */
  readonly what: unknown;
  readonly total: number;
  /** Undefined while it is not there yet. */
  idAt(index: number): number | undefined;
  /** -1 when it is not there. */
  indexOf(id: number): number;
  /** Whether the focus is on one of its items. */
  hasFocus(): boolean;
  /** Moves the focus, once the element is there. */
  move(index: number): void;
}

/** Which item of a list by index has the focus or had it last, and where the focus goes when the list changes. */
export class ListFocus {
  /** The index that keys move from; -1 before there is one. */
  active = $state(-1);
  /** Whether it has the focus now, as far as the browser told. */
  isIn = $state(false);
  /** Id of the item that has the focus. */
  #held: number | undefined;
  #what: unknown;
  readonly #listed: () => Listed;

  constructor(listed: () => Listed) {
    this.#listed = listed;
  }

  /** These indices are drawn: with the one that has the focus, though it is out of sight. */
  with(indices: readonly number[]): readonly number[] {
    const { active, isIn } = this;
    const isMissing = isIn && active >= 0 && active < this.#listed().total;
    return isMissing && !indices.includes(active) ? [...indices, active] : indices;
  }

  /** The focus came to an item, or is to come to it. */
  set(index: number): void {
    this.active = index;
    this.#held = untrack(() => this.#listed().idAt(index));
  }

  /**
   * To be run before the list is drawn anew. The focus stays on its item; where that is gone, it goes to the first of
   * another list, and keeps its place in the same one.
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
