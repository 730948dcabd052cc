import type { Preference } from './groups/choose.ts';
import type { Viewer } from './requests/viewer.ts';

/** The operators of a condition, which compare a field with a value. */
export const operators = ['is', 'in', 'contains', 'from', 'to'] as const;
export type Operator = (typeof operators)[number];

/**
 * The kind of value that a field is compared with:
 * - `state`: one of the `states` of the field.
 * - `language`: a code such as `En` or `Pt-BR`.
 * - `id`: the id of a release or of a set.
 */
export type ValueKind = 'text' | 'language' | 'number' | 'state' | 'id';

export interface FieldKind {
  readonly value: ValueKind;
  readonly operators: readonly Operator[];
  /** Highest number; only for `number`. */
  readonly max?: number;
  /** The values of the field; only for `state`. */
  readonly states?: readonly string[];
}

const oneOf = ['is', 'in'] as const;

/**
 * The states of a release in the library:
 * - `have`: it has a file.
 * - `missing`: it has no file.
 * - `verified`: it has a file that was recognised by a hash.
 */
export const libraryStates = ['have', 'missing', 'verified'] as const;
export type LibraryState = (typeof libraryStates)[number];

/** The states of the cover of a release: it has one, or none. */
export const coverStates = ['have', 'missing'] as const;
export type CoverState = (typeof coverStates)[number];

/**
 * The fields that a rule can compare. A new field needs a line here, and a line in the table of
 * `sql/sets/rule-fields.ts`, which does not compile without it.
 */
export const ruleFields = {
  system: { value: 'text', operators: oneOf },
  platform: { value: 'text', operators: oneOf },
  region: { value: 'text', operators: oneOf },
  language: { value: 'language', operators: oneOf },
  tag: { value: 'text', operators: oneOf },
  genre: { value: 'text', operators: ['is', 'in', 'contains'] },
  developer: { value: 'text', operators: ['is', 'in', 'contains'] },
  publisher: { value: 'text', operators: ['is', 'in', 'contains'] },
  franchise: { value: 'text', operators: ['is', 'in', 'contains'] },
  year: { value: 'number', operators: ['is', 'in', 'from', 'to'], max: 9_999 },
  search: { value: 'text', operators: ['contains'] },
  library: { value: 'state', operators: oneOf, states: libraryStates },
  cover: { value: 'state', operators: oneOf, states: coverStates },
  added_days: { value: 'number', operators: ['from', 'to'], max: 36_500 },
  release_ids: { value: 'id', operators: ['in'] },
  set: { value: 'id', operators: oneOf },
} as const satisfies Readonly<Record<string, FieldKind>>;

export type RuleField = keyof typeof ruleFields;
/** The fields of a rule whose named sets were replaced by the rules of these sets. */
export type ReleaseField = Exclude<RuleField, 'set'>;

export type RuleValue = string | number;

/** A condition on one field. It has exactly one of the operators, or both `from` and `to`. */
export interface RuleCondition<Field extends RuleField = RuleField> {
  readonly field: Field;
  readonly is?: RuleValue;
  readonly in?: readonly RuleValue[];
  readonly contains?: string;
  readonly from?: number;
  readonly to?: number;
}

/**
 * A rule that selects releases. `all` without parts holds for every release, `any` without parts
 * for none.
 */
export type Rule<Field extends RuleField = RuleField> =
  | { readonly all: readonly Rule<Field>[] }
  | { readonly any: readonly Rule<Field>[] }
  | { readonly not: Rule<Field> }
  | RuleCondition<Field>;

/** A rule that names no sets. */
export type ReleaseRule = Rule<ReleaseField>;

/** The releases of a set, as a viewer sees them. */
export interface SelectedSet {
  /** A digest of everything else in this object. */
  readonly key: string;
  readonly rule: ReleaseRule;
  /** The preference that chooses among the selected editions; null if the set contains all. */
  readonly prefer: Preference | null;
  readonly viewer: Viewer;
  /** The day from which `added_days` counts back, in UTC, such as `2026-11-26`. */
  readonly today: string;
}

/** Returns the values of a condition with `is` or `in`; no values for other operators. */
export function valuesOf({ is, in: several }: RuleCondition): readonly RuleValue[] {
  if (is !== undefined) return [is];
  return several ?? [];
}

/** Returns the parts of a rule; no parts for a condition. */
export function partsOf<Field extends RuleField>(rule: Rule<Field>): readonly Rule<Field>[] {
  if ('field' in rule) return [];
  if ('not' in rule) return [rule.not];
  return 'all' in rule ? rule.all : rule.any;
}

/** Returns true if a condition of a rule compares one of these fields. */
export function comparesOneOf(rule: ReleaseRule, fields: readonly ReleaseField[]): boolean {
  return 'field' in rule
    ? fields.includes(rule.field)
    : partsOf(rule).some((part) => comparesOneOf(part, fields));
}
