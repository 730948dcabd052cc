import type { Preference, SavedSet } from '../../api/sets.ts';
import { PreferenceDraft } from '../prefer/preference-draft.svelte.ts';
import { ConditionNode, type GroupNode, treeOf, writeTree } from '../rule/rule-tree.svelte.ts';

/** The content of a set that is being edited, before it is saved. */
export class SetDraft {
  name = $state('');
  isShared = $state(false);
  readonly root: GroupNode;
  readonly prefer: PreferenceDraft;
  /** The rule in its current state. */
  readonly written = $derived.by(() => writeTree(this.root));
  /** The content as JSON. A comparison with the saved text shows whether there are changes. */
  readonly content = $derived.by(() =>
    JSON.stringify([
      this.name,
      this.isShared,
      this.written.rule,
      this.prefer.toPreference(),
      this.written.incomplete.length,
    ]),
  );
  #saved = $state('');

  /**
   * `set` is the set to edit, or null for a new set, which begins with an empty condition. `usual`
   * is the preference that is suggested if the set has none.
   */
  constructor(set: SavedSet | null, usual: Preference) {
    this.name = set?.name ?? '';
    this.isShared = set?.shared ?? false;
    this.root = treeOf(set?.rule ?? { all: [] });
    if (set === null) this.root.parts = [new ConditionNode()];
    this.prefer = new PreferenceDraft(set?.prefer ?? null, usual);
    this.#saved = this.content;
  }

  get isChanged(): boolean {
    return this.content !== this.#saved;
  }

  /** Marks the content as saved. */
  markSaved(): void {
    this.#saved = this.content;
  }
}
