import { circleOfSets, setsTooDeep, setTooLarge } from '../shared/errors.ts';
import { partsOf, type ReleaseRule, type Rule, valuesOf } from '../shared/release-rule.ts';

/** Maximum length of a chain of sets that name one another. */
const maxNestedSets = 3;
/** Limits of a rule together with the rules of all sets that it names. */
const expandedLimits = {
  ...{ conditions: 1_000, groups: 1_000, ids: 20_000, values: 5_000 },
  /** Conditions on covers. */
  covers: 20,
};
type Counts = Record<keyof typeof expandedLimits, number>;

export interface Expansion {
  /** Returns, by id, the rules of the sets with these ids that the viewer sees. */
  readonly findRules: (ids: readonly number[]) => Promise<ReadonlyMap<number, Rule>>;
  /** The id of the set that has the rule; undefined for a new set. */
  readonly ownId?: number | undefined;
}

/**
 * Replaces each condition on a set by the rule of that set. A set that does not exist, or that the
 * viewer does not see, contains no releases. Throws a 409 if the set contains itself, or if the
 * sets are nested too deeply or too large together. These errors can also occur for a saved set,
 * because a set that it names may have changed.
 */
export async function expandRule(
  rule: Rule,
  { findRules, ownId }: Expansion,
): Promise<ReleaseRule> {
  const rules = new Map<number, Rule>();
  let wanted = namedSets(rule);
  for (let level = 0; level <= maxNestedSets && wanted.length > 0; level += 1) {
    const found = await findRules(wanted);
    for (const [id, named] of found) rules.set(id, named);
    const next = new Set([...found.values()].flatMap((named) => namedSets(named)));
    wanted = [...next].filter((id) => !rules.has(id));
  }
  return substitute(rule, {
    rules,
    within: ownId === undefined ? [] : [ownId],
    depth: 0,
    counts: { conditions: 0, groups: 0, ids: 0, values: 0, covers: 0 },
  });
}

/** Returns the ids of the sets that a rule names, each once. */
export function namedSets(rule: Rule): number[] {
  return [...new Set(setConditions(rule, 'rule').flatMap(({ ids }) => ids))];
}

/** Returns the conditions on sets in a rule, each with its path, such as `rule.any[1]`. */
export function setConditions(
  rule: Rule,
  path: string,
): { readonly path: string; readonly ids: readonly number[] }[] {
  if ('field' in rule) {
    return rule.field === 'set' ? [{ path, ids: valuesOf(rule).map(Number) }] : [];
  }
  if ('not' in rule) return setConditions(rule.not, `${path}.not`);
  const group = 'all' in rule ? 'all' : 'any';
  return partsOf(rule).flatMap((part, i) => setConditions(part, `${path}.${group}[${i}]`));
}

interface Substitution {
  readonly rules: ReadonlyMap<number, Rule>;
  /** The ids of the sets that contain the rule, directly or through other sets. */
  readonly within: readonly number[];
  readonly depth: number;
  readonly counts: Counts;
}

function substitute(rule: Rule, substitution: Substitution): ReleaseRule {
  const { counts } = substitution;
  if (!('field' in rule)) count(counts, 'groups', 1);
  if ('not' in rule) return { not: substitute(rule.not, substitution) };
  if ('all' in rule) return { all: rule.all.map((part) => substitute(part, substitution)) };
  if ('any' in rule) return { any: rule.any.map((part) => substitute(part, substitution)) };
  const { field, ...rest } = rule;
  if (field === 'set') {
    const ids = [...new Set(valuesOf(rule).map(Number))];
    return { any: ids.map((id) => ruleOfSet(id, substitution)) };
  }
  count(counts, 'conditions', 1);
  if (field === 'cover') count(counts, 'covers', 1);
  count(counts, field === 'release_ids' ? 'ids' : 'values', valuesOf(rule).length);
  return { field, ...rest };
}

function ruleOfSet(id: number, substitution: Substitution): ReleaseRule {
  const { rules, within, depth, counts } = substitution;
  if (within.includes(id)) throw circleOfSets();
  if (depth === maxNestedSets) throw setsTooDeep();
  const rule = rules.get(id);
  // Count a set without conditions too, so that the work is limited.
  count(counts, 'conditions', 1);
  if (rule === undefined) return { any: [] };
  return substitute(rule, { ...substitution, within: [...within, id], depth: depth + 1 });
}

function count(counts: Counts, counted: keyof Counts, more: number): void {
  counts[counted] += more;
  if (counts[counted] > expandedLimits[counted]) throw setTooLarge();
}
