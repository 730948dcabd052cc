/** The fields that a rule can compare, in the order in which the editor offers them. */
export const ruleFields = [
  'platform',
  'region',
  'language',
  'tag',
  'library',
  'cover',
  'genre',
  'year',
  'developer',
  'publisher',
  'franchise',
  'search',
  'system',
  'added_days',
  'set',
  'release_ids',
] as const;
export type RuleField = (typeof ruleFields)[number];
export type RuleValue = string | number;

/** A condition on one field. It has exactly one of the operators, or both `from` and `to`. */
export interface RuleCondition {
  readonly field: RuleField;
  readonly is?: RuleValue;
  readonly in?: readonly RuleValue[];
  readonly contains?: string;
  readonly from?: number;
  readonly to?: number;
}

/** A rule that selects releases, in the form of the API. */
export type Rule =
  | { readonly all: readonly Rule[] }
  | { readonly any: readonly Rule[] }
  | { readonly not: Rule }
  | RuleCondition;

/** How the editor compares a field: with values, with a part of a text, or with a range. */
export type Comparison = 'values' | 'contains' | 'range';

interface FieldKind {
  readonly comparisons: readonly Comparison[];
  /** Highest number; only for fields whose values are numbers. */
  readonly max?: number;
}

const values = { comparisons: ['values'] } as const;
const metadata = { comparisons: ['values', 'contains'] } as const;

/** The comparisons of each field, with the default comparison first. */
export const fieldKinds: Readonly<Record<RuleField, FieldKind>> = {
  platform: values,
  region: values,
  language: values,
  tag: values,
  library: values,
  cover: values,
  genre: metadata,
  year: { comparisons: ['values', 'range'], max: 9_999 },
  developer: metadata,
  publisher: metadata,
  franchise: metadata,
  search: { comparisons: ['contains'] },
  system: values,
  added_days: { comparisons: ['range'], max: 36_500 },
  set: { ...values, max: Number.MAX_SAFE_INTEGER },
  release_ids: { ...values, max: Number.MAX_SAFE_INTEGER },
};

/** Maximum number of groups around a condition. */
export const maxDepth = 6;

/** Returns the values of a condition with `is` or `in`; no values for other operators. */
export function valuesOf({ is, in: several }: RuleCondition): readonly RuleValue[] {
  return is === undefined ? (several ?? []) : [is];
}

/** Returns the ids of the sets that a rule names. */
export function namedSets(rule: Rule): number[] {
  if ('field' in rule) return rule.field === 'set' ? valuesOf(rule).map(Number) : [];
  if ('not' in rule) return namedSets(rule.not);
  return ('all' in rule ? rule.all : rule.any).flatMap(namedSets);
}
