import type { RuleWords } from '../rule/rule-text.ts';
import type { RuleNode } from '../rule/rule-tree.svelte.ts';
import type { ValueOptions } from './value-options.svelte.ts';

/** The state that all parts of the rule editor share. */
export interface RuleEditor {
  readonly words: RuleWords;
  readonly options: ValueOptions;
  /** Id of the edited set, which its own rule cannot name. Null for a new set. */
  readonly ownId: number | null;
  /** Returns the reason why the rule is refused at this node, or null if it is not. */
  errorOf(node: RuleNode): string | null;
}
