import { forEachInSlices } from '../../shared/concurrency/slices.ts';

/** Collects lists of texts. Lists that have a text in common are joined into one list. */
export class JoinedLists {
  /**
   * For each list, by index, the index of the list that it was joined to. A list that was not
   * joined has its own index here.
   */
  readonly #parents: number[] = [];
  readonly #listOf = new Map<string, number>();

  add(members: readonly string[]): void {
    const list = this.#parents.push(this.#parents.length) - 1;
    for (const member of members) {
      const other = this.#listOf.get(member);
      if (other === undefined) this.#listOf.set(member, list);
      else this.#parents[this.#rootOf(list)] = this.#rootOf(other);
    }
  }

  async all(): Promise<string[][]> {
    const lists = new Map<number, string[]>();
    await forEachInSlices(this.#listOf, ([member, list]) => {
      const root = this.#rootOf(list);
      const members = lists.get(root);
      if (members === undefined) lists.set(root, [member]);
      else members.push(member);
    });
    return [...lists.values()];
  }

  #rootOf(list: number): number {
    let root = list;
    for (let up = this.#parents[root]; up !== undefined && up !== root; up = this.#parents[root]) {
      root = up;
    }
    // Make each list on the way point directly at the root, so that the next search takes one step.
    for (let at = list; at !== root; ) {
      const up = this.#parents[at] ?? root;
      this.#parents[at] = root;
      at = up;
    }
    return root;
  }
}
