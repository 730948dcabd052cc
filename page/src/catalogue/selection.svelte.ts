import { SvelteMap } from 'svelte/reactivity';
import type { ReleaseItem } from '../api/model.ts';

/** Releases picked for a change that they get together. */
export class Selection {
  static readonly most = 500;
  /** Whether picking is on; a click then picks instead of opening. */
  isOn = $state(false);
  /** True when the last pick did not fit. */
  isFull = $state(false);
  readonly #picked = new SvelteMap<number, string>();
  #anchor: number | null = null;

  get size(): number {
    return this.#picked.size;
  }

  /** Ids with names, in the order they were picked. */
  get all(): readonly { readonly id: number; readonly name: string }[] {
    return [...this.#picked].map(([id, name]) => ({ id, name }));
  }

  has(id: number): boolean {
    return this.#picked.has(id);
  }

  /** Picks or drops one; `index` is where a range may start. */
  toggle(release: ReleaseItem, index: number): void {
    this.isOn = true;
    this.#anchor = index;
    this.isFull = false;
    if (this.#picked.delete(release.id)) return;
    this.#add([release]);
  }

  /** The stretch from the last one picked to this one, end exclusive; the index alone when none was. */
  rangeTo(index: number): { first: number; end: number } {
    const from = this.#anchor ?? index;
    return { first: Math.min(from, index), end: Math.max(from, index) + 1 };
  }

  /** Picks all of these, as far as they fit. */
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
      if (!this.#picked.has(id) && this.#picked.size >= Selection.most) {
        this.isFull = true;
        return;
      }
      this.#picked.set(id, name);
    }
  }
}
