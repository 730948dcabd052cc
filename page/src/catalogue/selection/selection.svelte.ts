import { SvelteMap } from 'svelte/reactivity';
import type { ReleaseItem } from '../../api/model.ts';

/** The releases that the user has selected, to change them together. */
export class Selection {
  static readonly maxSize = 500;
  /**
   * True while selection is on. Then a click on a release selects the release instead of opening
   * it.
   */
  isOn = $state(false);
  /** True if the last selection contained more releases than the limit allows. */
  isFull = $state(false);
  readonly #picked = new SvelteMap<number, string>();
  #anchor: number | null = null;

  get size(): number {
    return this.#picked.size;
  }

  /** Ids and names of the selected releases, in the order in which they were selected. */
  get all(): readonly { readonly id: number; readonly name: string }[] {
    return [...this.#picked].map(([id, name]) => ({ id, name }));
  }

  has(id: number): boolean {
    return this.#picked.has(id);
  }

  /**
   * Selects a release, or deselects a selected release. The next range selection starts at `index`.
   */
  toggle(release: ReleaseItem, index: number): void {
    this.isOn = true;
    this.#anchor = index;
    this.isFull = false;
    if (this.#picked.delete(release.id)) return;
    this.#add([release]);
  }

  /**
   * Returns the range from the last toggled release to the release at `index`. `end` is exclusive.
   * If no release was toggled, the range contains only the release at `index`.
   */
  rangeTo(index: number): { first: number; end: number } {
    const from = this.#anchor ?? index;
    return { first: Math.min(from, index), end: Math.max(from, index) + 1 };
  }

  /** Selects all of `releases`, up to the limit of `Selection.maxSize`. */
  addAll(releases: readonly ReleaseItem[]): void {
    this.isOn = true;
    this.isFull = false;
    this.#add(releases);
  }

  drop(ids: readonly number[]): void {
    for (const id of ids) this.#picked.delete(id);
    this.isFull = false;
  }

  clear(): void {
    this.#picked.clear();
    this.#anchor = null;
    this.isFull = false;
    this.isOn = false;
  }

  #add(releases: readonly ReleaseItem[]): void {
    for (const { id, name } of releases) {
      if (!this.#picked.has(id) && this.#picked.size >= Selection.maxSize) {
        this.isFull = true;
        return;
      }
      this.#picked.set(id, name);
    }
  }
}
