import { invalidField } from '../shared/errors.ts';
import {
  type FieldKind,
  type Operator,
  operators,
  type Rule,
  type RuleCondition,
  type RuleField,
  ruleFields,
} from '../shared/release-rule.ts';
import { hasTooManyWords, isUnsearchable, searchWords } from '../shared/search-text.ts';
import { printable } from '../shared/text.ts';

/** Limits of a rule. `depth` counts the groups around a condition. */
export const ruleLimits = {
  depth: 6,
  conditions: 200,
  groups: 200,
  ids: 10_000,
  values: 1_000,
  characters: 50_000,
  /** A query contains the covered releases once for each of these conditions. */
  'conditions on cover': 10,
};

type Counted = Exclude<keyof typeof ruleLimits, 'depth'>;
type Counts = Record<Counted, number>;

const groupNames = ['all', 'any', 'not'] as const;
export const languageCode = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/;

/**
 * Checks a rule that a client sent, and returns it. Throws a 422 that names the first wrong part,
 * such as `rule.any[1]`, counted from 0. The work is limited, whatever the value is: reading ends
 * at the first limit that is exceeded.
 */
export function readRule(value: unknown): Rule {
  const counts = {
    ...{ conditions: 0, groups: 0, ids: 0, values: 0, characters: 0 },
    'conditions on cover': 0,
  };
  return readPart(value, 'rule', 0, counts);
}

function readPart(value: unknown, path: string, depth: number, counts: Counts): Rule {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField(path, 'must be an object');
  }
  const part = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(part, 'field')) return readCondition(part, path, counts);
  const [name, ...more] = Object.keys(part);
  const group = groupNames.find((each) => each === name);
  if (group === undefined || more.length > 0) {
    throw invalidField(path, `must have either "field" or one of ${listed(groupNames)}`);
  }
  if (depth === ruleLimits.depth) {
    throw invalidField(path, `must be at most ${ruleLimits.depth} groups deep`);
  }
  count(counts, 'groups', 1, path);
  const parts = part[group];
  if (group === 'not') return { not: readPart(parts, `${path}.not`, depth + 1, counts) };
  if (!Array.isArray(parts)) throw invalidField(`${path}.${group}`, 'must be an array');
  const read = parts.map((each: unknown, i) =>
    readPart(each, `${path}.${group}[${i}]`, depth + 1, counts),
  );
  return group === 'all' ? { all: read } : { any: read };
}

function readCondition(
  part: Readonly<Record<string, unknown>>,
  path: string,
  counts: Counts,
): RuleCondition {
  count(counts, 'conditions', 1, path);
  const field = readField(part.field, path);
  if (field === 'cover') count(counts, 'conditions on cover', 1, path);
  const given = Object.keys(part).filter((key) => key !== 'field');
  const kind: FieldKind = ruleFields[field];
  const unknown = given.find((key) => !kind.operators.some((operator) => operator === key));
  if (unknown !== undefined) {
    const isOperator = operators.some((operator) => operator === unknown);
    throw invalidField(
      path,
      isOperator
        ? `${field} takes ${listed(kind.operators)}, not "${unknown}"`
        : `there is no operator ${quoted(unknown)}`,
    );
  }
  const isRange = given.length === 2 && given.includes('from') && given.includes('to');
  if (given.length !== 1 && !isRange) {
    throw invalidField(path, `must have exactly one of ${listed(kind.operators)}`);
  }
  const values = given.map((key) => {
    const operator = key as Operator; // safe: every key was found among the field's operators
    return [operator, readOperand(part[operator], operator, { field, kind, path, counts })];
  });
  return { field, ...Object.fromEntries(values) };
}

function readField(field: unknown, path: string): RuleField {
  if (typeof field !== 'string') throw invalidField(path, 'field must be a text');
  if (!Object.hasOwn(ruleFields, field)) {
    throw invalidField(path, `there is no field ${quoted(field)}`);
  }
  return field as RuleField;
}

interface Operand {
  readonly field: RuleField;
  readonly kind: FieldKind;
  readonly path: string;
  readonly counts: Counts;
}

function readOperand(value: unknown, operator: Operator, operand: Operand): unknown {
  const { field, kind, path, counts } = operand;
  const counted = field === 'release_ids' ? 'ids' : 'values';
  if (operator !== 'in') {
    count(counts, counted, 1, path);
    return readValue(value, operand);
  }
  if (!Array.isArray(value)) throw invalidField(path, '"in" must be an array');
  count(counts, counted, value.length, path);
  return value.map((each: unknown) => readValue(each, { ...operand, kind }));
}

function readValue(value: unknown, { field, kind, path, counts }: Operand): string | number {
  const problem = problemOf(value, field, kind);
  if (problem !== null) throw invalidField(path, `${field} ${problem}`);
  if (typeof value === 'string') count(counts, 'characters', value.length, path);
  return value as string | number; // safe: a value without a problem is a text or a number
}

/** Returns the problem of a value of a field. Returns null if there is none. */
function problemOf(value: unknown, field: RuleField, { value: kind, max, states = [] }: FieldKind) {
  switch (kind) {
    case 'text':
      return textProblem(value, field);
    case 'language':
      return typeof value === 'string' && languageCode.test(value)
        ? null
        : 'must be a language code such as En or Pt-BR';
    case 'state':
      return states.some((state) => state === value) ? null : `must be ${states.join(' or ')}`;
    case 'number':
      return isInteger(value, 0, max ?? 0) ? null : `must be a whole number from 0 to ${max}`;
    case 'id':
      return isInteger(value, 1, Number.MAX_SAFE_INTEGER) ? null : 'must be an id';
  }
}

function textProblem(value: unknown, field: RuleField): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.trim() === '') return 'must not be empty';
  if (isUnsearchable(value)) return 'must be at most 1000 characters, without NUL';
  if (field !== 'search') return null;
  if (searchWords(value).length === 0) return 'must not be empty';
  return hasTooManyWords(value) ? 'must be at most 16 words' : null;
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function count(counts: Counts, counted: Counted, more: number, path: string): void {
  counts[counted] += more;
  if (counts[counted] <= ruleLimits[counted]) return;
  throw invalidField(path, `a rule has at most ${ruleLimits[counted]} ${counted}`);
}

const listed = (names: readonly string[]) => names.map((name) => `"${name}"`).join(' or ');

/** Quotes a part of a text that a client sent. */
const quoted = (text: string) => JSON.stringify(printable(text.slice(0, 50)));
