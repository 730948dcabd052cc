import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RecordFilter, ReleaseFilter } from '../../core/releases/ports.ts';
import type { IdMarks } from '../../core/shared/id-marks.ts';
import {
  partsOf,
  type ReleaseField,
  type ReleaseRule,
  type RuleCondition,
  type SelectedSet,
  valuesOf,
} from '../../core/shared/release-rule.ts';
import type { Database } from '../engine/engine.ts';
import { type Condition, searchOf, visibleTo } from '../releases/release-conditions.ts';
import {
  cheapestCondition,
  searchText,
  type TextSearch,
} from '../releases/release-text-conditions.ts';
import type { Trigrams } from '../releases/trigram-sample.ts';
import { allOf, anyOf, unionOf } from './combined-conditions.ts';
import { fieldSql, type RuleContext } from './rule-fields.ts';

/** The fields that rules and filters have in common. There is an index for each of these fields. */
const liftedFields = ['system', 'platform', 'region'] as const;
type LiftedField = (typeof liftedFields)[number];

/** Maximum number of parts of a rule whose hits are counted to find the best index. */
const maxSearches = 8;

/**
 * Returns the values that every release of the filter's set has, for fields without a value in the
 * filter. With these values in its filter, the list can be read by an index.
 */
export function liftedValues(filter: ReleaseFilter): Partial<Record<LiftedField, string>> {
  const lifted = liftedConditions(filter);
  return Object.fromEntries(
    lifted.map((condition) => [condition.field, String(valuesOf(condition)[0])]),
  );
}

/**
 * Returns the searches that find the releases of a set: one for each required condition of the
 * rule, so that the query can use the best index. Conditions beyond the maximum share one search.
 * Omits the conditions of `liftedValues`.
 */
export async function searchesOfSet(
  db: Database,
  set: SelectedSet,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  if (filter.chosen !== undefined) return [await searchChosen(db, filter.chosen, trigrams)];
  const { coveredIds = [] } = filter;
  const shares = await trigrams.shares();
  const context: RuleContext = { db, today: set.today, shares, coveredIds };
  const lifted: readonly ReleaseRule[] = liftedConditions(filter);
  const searches = visibleTo(set.viewer).map((condition) => searchOf(condition));
  const parts = requiredParts(set.rule)
    .filter((part) => !lifted.includes(part))
    .toSorted((a, b) => Number(isIndexed(b)) - Number(isIndexed(a)));
  for (const part of parts.slice(0, maxSearches)) {
    searches.push(await searchOfPart(part, context));
  }
  const rest = parts.slice(maxSearches).map((part) => rowCondition(part, context));
  if (rest.length > 0) searches.push(searchOf(allOf(rest)));
  return searches.map((search) => ({ ...search, readsColumns: true }));
}

/** Returns the search for the releases that the preference of a set chose. */
async function searchChosen(
  db: Database,
  chosen: IdMarks,
  trigrams: Trigrams,
): Promise<TextSearch> {
  const isChosen = db.dialect.isMarked(releaseId, chosen);
  if (chosen.size > maxListedIds) return searchOf(isChosen);
  const { all } = await trigrams.shares();
  const isListed = sql<SqlBool>`release.id IN ${db.dialect.list(chosen.list(), 'integer')}`;
  const share = Math.min(1, chosen.size / Math.max(1, all));
  return {
    ...{ rowCondition: isChosen, scanCondition: isChosen, indexed: isListed },
    ...{ share, found: share },
  };
}

const releaseId = sql<number>`release.id`;
/** Maximum number of chosen releases that are found by their ids. */
const maxListedIds = 2_000;

/** Returns the conditions of the filter's set that are moved to the filter's values. */
function liftedConditions({ set, ...filter }: ReleaseFilter): RuleCondition<LiftedField>[] {
  if (set === undefined) return [];
  const parts = requiredParts(set.rule);
  return liftedFields.flatMap((field) => {
    if (filter[field] !== '') return [];
    const found = parts.find(
      (part): part is RuleCondition<LiftedField> =>
        'field' in part && part.field === field && valuesOf(part).length === 1,
    );
    return found ?? [];
  });
}

/** Returns the parts of a rule that every release of the set meets. */
function requiredParts(rule: ReleaseRule): readonly ReleaseRule[] {
  return 'all' in rule ? rule.all.flatMap(requiredParts) : [rule];
}

/** Returns true if an index finds the releases that meet a part of a rule. */
function isIndexed(part: ReleaseRule): boolean {
  return 'field' in part && ['search', 'release_ids'].includes(part.field);
}

async function searchOfPart(part: ReleaseRule, context: RuleContext): Promise<TextSearch> {
  const { db, shares } = context;
  const row = rowCondition(part, context);
  if ('field' in part && part.field === 'search') {
    return searchText(db, part.contains ?? '', shares);
  }
  if ('field' in part && part.field === 'release_ids') {
    const share = Math.min(1, valuesOf(part).length / Math.max(1, shares.all));
    return { rowCondition: row, scanCondition: row, indexed: row, share, found: share };
  }
  const hits = hitsOf(part, context);
  return searchOf(hits === null ? row : await cheapestCondition(db, hits, row));
}

/**
 * Returns the condition on a row of `release` that the release meets a rule. The condition is true
 * or false, never null.
 */
function rowCondition(rule: ReleaseRule, context: RuleContext): Condition {
  if ('field' in rule) return sqlOf(rule).row(rule, context);
  if ('not' in rule) return sql<SqlBool>`(NOT ${rowCondition(rule.not, context)})`;
  const parts = partsOf(rule).map((part) => rowCondition(part, context));
  return 'all' in rule ? allOf(parts) : anyOf(parts);
}

/**
 * Returns the query with a column `id` for the releases that meet a rule. Returns null if there is
 * no query that is faster than checking releases.
 */
function hitsOf(rule: ReleaseRule, context: RuleContext): RawBuilder<unknown> | null {
  if ('field' in rule) return sqlOf(rule).hits?.(rule, context) ?? null;
  return 'any' in rule ? unionOf(rule.any.map((part) => hitsOf(part, context))) : null;
}

const sqlOf = ({ field }: { readonly field: ReleaseField }) => fieldSql[field];
