import {
  type Comparison,
  fieldKinds,
  type Rule,
  type RuleCondition,
  type RuleField,
  type RuleValue,
} from './rule.ts';

let lastKey = 0;

/** A condition of a rule that is being edited. */
export class ConditionNode {
  readonly kind = 'condition';
  /** Identifies the node while the rule is edited. */
  readonly key: number;
  field: RuleField = $state('platform');
  comparison: Comparison = $state('values');
  /** Number of `not` around the condition. An odd number negates it. */
  nots = $state(0);
  values: readonly RuleValue[] = $state.raw([]);
  /** The text of `contains`. */
  text = $state('');
  /** The ends of a range; null for an open end. */
  from: number | null = $state(null);
  to: number | null = $state(null);
  /** True to write a single value as `in` instead of `is`, as in the loaded rule. */
  #isList = false;
  /** True if the condition in the loaded rule had no values. */
  #wasEmpty = false;

  constructor() {
    lastKey += 1;
    this.key = lastKey;
  }

  /** Returns a node for a condition of a rule. */
  static of(condition: RuleCondition, nots: number): ConditionNode {
    const node = new ConditionNode();
    const { field, is, in: several, contains, from, to } = condition;
    node.field = field;
    node.nots = nots;
    if (contains !== undefined) {
      node.comparison = 'contains';
      node.text = contains;
    } else if (from !== undefined || to !== undefined) {
      node.comparison = 'range';
      node.from = from ?? null;
      node.to = to ?? null;
    } else {
      node.values = is === undefined ? (several ?? []) : [is];
      node.#isList = is === undefined;
      node.#wasEmpty = node.values.length === 0;
    }
    return node;
  }

  /**
   * True if the condition has a value, a text or a range, or had no values in the loaded rule. A
   * new condition is incomplete.
   */
  get isComplete(): boolean {
    if (this.comparison === 'contains') return this.text.trim() !== '';
    if (this.comparison === 'range') return this.from !== null || this.to !== null;
    return this.values.length > 0 || this.#wasEmpty;
  }

  /** Sets the field, and clears the values, which belong to another field. */
  setField(field: RuleField): void {
    this.field = field;
    this.comparison = fieldKinds[field].comparisons[0] ?? 'values';
    this.setValues([]);
    this.text = '';
    this.from = null;
    this.to = null;
  }

  setValues(values: readonly RuleValue[]): void {
    this.values = values;
    this.#isList = false;
    this.#wasEmpty = false;
  }

  /** Returns the condition as a rule, without `not`. */
  toRule(): Rule {
    const { field, comparison, values, from, to } = this;
    if (comparison === 'contains') return { field, contains: this.text };
    if (comparison === 'range') {
      return { field, ...(from !== null && { from }), ...(to !== null && { to }) };
    }
    const [only] = values;
    const isSingle = values.length === 1 && field !== 'release_ids' && !this.#isList;
    return isSingle && only !== undefined ? { field, is: only } : { field, in: values };
  }
}

/** A group of a rule that is being edited. */
export class GroupNode {
  readonly kind = 'group';
  readonly key: number;
  mode: 'all' | 'any' = $state('all');
  nots = $state(0);
  parts: readonly RuleNode[] = $state.raw([]);
  /**
   * True for the group that the editor adds around a rule that is a single condition. `writeTree`
   * leaves out this group while it has one part, the mode `all` and no `not`.
   */
  isAdded = false;

  constructor() {
    lastKey += 1;
    this.key = lastKey;
  }

  /** Adds a part at the end. */
  add(part: RuleNode): void {
    this.parts = [...this.parts, part];
  }

  remove(part: RuleNode): void {
    this.parts = this.parts.filter((each) => each !== part);
  }
}

export type RuleNode = ConditionNode | GroupNode;

/** Returns the group to edit for a rule. */
export function treeOf(rule: Rule): GroupNode {
  const node = nodeOf(rule, 0);
  if (node.kind === 'group') return node;
  const group = new GroupNode();
  group.isAdded = true;
  group.parts = [node];
  return group;
}

function nodeOf(rule: Rule, nots: number): RuleNode {
  if ('not' in rule) return nodeOf(rule.not, nots + 1);
  if ('field' in rule) return ConditionNode.of(rule, nots);
  const group = new GroupNode();
  group.nots = nots;
  group.mode = 'all' in rule ? 'all' : 'any';
  group.parts = ('all' in rule ? rule.all : rule.any).map((part) => nodeOf(part, 0));
  return group;
}

export interface WrittenRule {
  readonly rule: Rule;
  /**
   * The keys of the nodes, by their paths in the server's error messages, such as `rule.any[1]`.
   */
  readonly keys: ReadonlyMap<string, number>;
  /** The incomplete conditions. The rule does not contain them. */
  readonly incomplete: readonly ConditionNode[];
}

/** Returns the rule of an edited tree. */
export function writeTree(root: GroupNode): WrittenRule {
  const keys = new Map<string, number>();
  const incomplete: ConditionNode[] = [];
  const rule = write(root, 'rule', keys, incomplete) ?? { all: [] };
  return { rule, keys, incomplete };
}

/** Returns the rule of a node; null if all conditions below it are incomplete. */
function write(
  node: RuleNode,
  path: string,
  keys: Map<string, number>,
  incomplete: ConditionNode[],
): Rule | null {
  const [only, ...others] = node.kind === 'group' ? node.parts : [];
  const isUnwrapped = node.kind === 'group' && node.isAdded && node.nots === 0;
  if (isUnwrapped && node.mode === 'all' && only !== undefined && others.length === 0) {
    return write(only, path, keys, incomplete);
  }
  if (node.kind === 'condition' && !node.isComplete) {
    incomplete.push(node);
    return null;
  }
  keys.set(path, node.key);
  let inner = path;
  for (let level = 0; level < node.nots; level += 1) {
    inner += '.not';
    keys.set(inner, node.key);
  }
  const rule = node.kind === 'condition' ? node.toRule() : group(node, inner, keys, incomplete);
  if (rule === null) return null;
  return Array.from({ length: node.nots }).reduce<Rule>((not) => ({ not }), rule);
}

function group(
  { mode, parts }: GroupNode,
  path: string,
  keys: Map<string, number>,
  incomplete: ConditionNode[],
): Rule | null {
  const written: Rule[] = [];
  for (const part of parts) {
    const rule = write(part, `${path}.${mode}[${written.length}]`, keys, incomplete);
    if (rule !== null) written.push(rule);
  }
  if (written.length === 0 && parts.length > 0) return null;
  return mode === 'all' ? { all: written } : { any: written };
}
