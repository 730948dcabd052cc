import { type Expression, sql } from 'kysely';
import { platformKey } from '../../core/imports/platform.ts';
import { filterValues } from '../../core/releases/filter-values.ts';
import type { RecordFilter, ReleaseFilter } from '../../core/releases/ports.ts';
import type { Database } from '../engine/engine.ts';
import { liftedValues } from '../sets/set-searches.ts';
import type { Tables } from '../tables.ts';
import { filterSearches, maxIndexedHits } from './filters/filter-searches.ts';
import { platformsCondition, regionsCondition } from './filters/several-values.ts';
import { type Condition, hasRegion, ofPlatform, searchOf } from './release-conditions.ts';
import type { JoinedHits, TextSearch } from './release-text-conditions.ts';
import type { Trigrams } from './trigram-sample.ts';

/** The exact values that a filter requires. A property that is not set does not filter. */
export interface ExactValues {
  readonly system?: string;
  /**
   * Like `system`, but compares without the index on the system. The index returns releases sorted
   * by name. For another order, all releases of the system would have to be sorted.
   */
  readonly walkedSystem?: string;
  readonly platformKey?: string;
  readonly region?: string;
}
type ExactName = keyof ExactValues;
const exactNames = ['system', 'walkedSystem', 'platformKey', 'region'] as const;

/**
 * Returns a query for releases with these values that meet these conditions. `all` includes
 * releases hidden by an unfinished import, which is cheaper. If `among` is passed, the query reads
 * only the rows of `among`.
 */
export function filteredBy(
  db: Database,
  which: 'listed' | 'all',
  values: ExactValues,
  conditions: readonly Condition[],
  among?: Expression<unknown>,
) {
  const value = (name: ExactName) => sql.val(values[name] ?? '');
  const query = filteredExactly(db, which, values, value, among).where(inTime(db));
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

/**
 * Returns a query for the releases with these ids, for the parameter `among` of `filteredBy`. If
 * the engine follows the order of `joinInOrder`, the releases are read one at a time, in the order
 * of `ids`.
 */
export function joinedWith(
  { dialect }: Database,
  which: 'listed' | 'all',
  ids: Expression<unknown>,
): Expression<unknown> {
  return sql`SELECT release.* FROM (${ids}) AS hit
    ${dialect.joinInOrder} ${tableOf(which)} AS release ON release.id = hit.id`;
}

const tableOf = (which: 'listed' | 'all') =>
  sql.table(which === 'all' ? 'release' : 'listed_release');

/**
 * Returns the searches that a filter contains. Returns an empty array if the filter contains exact
 * values only.
 */
export async function searchesOf(
  db: Database,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  const searches = await filterSearches(db, filter, trigrams);
  const [platforms, regions] = [platformsCondition(db, filter), regionsCondition(db, filter)];
  if (regions !== null) searches.push({ ...searchOf(regions), readsColumns: true });
  if (platforms !== null) searches.push(await searchPlatforms(db, filter, platforms, trigrams));
  return searches;
}

/**
 * Returns the search for releases of several platforms. The index on the platform returns releases
 * in another order, so it is used only if there are few enough releases to sort.
 */
async function searchPlatforms(
  db: Database,
  filter: RecordFilter,
  condition: Condition,
  trigrams: Trigrams,
): Promise<TextSearch> {
  const { releases } = await db
    .selectFrom('release_count as release')
    .select((is) => is.fn.sum<number | null>('release.releases').as('releases'))
    .where(condition)
    .executeTakeFirstOrThrow();
  const hits = releases ?? 0;
  if (hits > maxIndexedHits) {
    return {
      ...searchOf(platformsCondition(db, filter, 'walked') ?? condition),
      readsColumns: true,
    };
  }
  const { all } = await trigrams.shares();
  const share = Math.min(1, hits / Math.max(all, 1));
  const conditions = { rowCondition: condition, scanCondition: condition, indexed: condition };
  return { ...conditions, share, found: share, readsColumns: true };
}

/** Returns, for each search, the condition that checks a release without an index. */
export function rowConditionsOf(searches: readonly TextSearch[]): Condition[] {
  return searches.map(({ rowCondition }) => rowCondition);
}

/**
 * Combines searches into conditions. The search whose index returns the fewest candidate releases
 * uses that index. The other searches check each candidate. Returns null if no search has a helpful
 * index.
 */
export function combineByIndex(searches: readonly TextSearch[]): SearchesByIndex | null {
  const [best] = searches
    .filter(({ indexed }) => indexed !== null)
    .toSorted((a, b) => a.share - b.share);
  if (!best?.indexed) return null;
  const others = searches.filter((search) => search !== best);
  const { indexed, joined, uncheckedHits, share, found } = best;
  const rowConditions = rowConditionsOf(others);
  const narrowed = ({ ids, conditions }: JoinedHits) => {
    return { ids, conditions: [...conditions, ...rowConditions] };
  };
  return {
    conditions: [indexed, ...rowConditions],
    ...(joined && { joined: narrowed(joined) }),
    ...(uncheckedHits && { uncheckedHits: narrowed(uncheckedHits) }),
    share,
    found,
  };
}

export interface SearchesByIndex
  extends Pick<TextSearch, 'joined' | 'uncheckedHits' | 'share' | 'found'> {
  readonly conditions: readonly Condition[];
}

/** Maximum share of all releases for which an index is faster than checking each release. */
export const maxIndexShare = 0.2;

/**
 * Returns the conditions of searches in the form that finds all matches fastest: by an index, or by
 * checking all releases in one pass.
 */
export function exhaustiveConditions(searches: readonly TextSearch[]): readonly Condition[] {
  const index = combineByIndex(searches);
  return index && index.share <= maxIndexShare
    ? index.conditions
    : searches.map(({ scanCondition }) => scanCondition);
}

/**
 * Returns the values of a filter in the form in which `filteredExactly` compares them. Several
 * values of one field are not exact values; they become a search. If every release of the filter's
 * set has the same value, the filter has this value too.
 */
export function exactValues(filter: ReleaseFilter): ExactValues {
  const lifted = liftedValues(filter);
  const valuesOf = (field: 'platform' | 'region') => {
    const value = lifted[field];
    return value === undefined ? filterValues(filter[field]) : [value];
  };
  const system = lifted.system ?? filter.system;
  const [platforms, regions] = [valuesOf('platform'), valuesOf('region')];
  return {
    ...(system !== '' && { system }),
    ...(platforms.length === 1 && { platformKey: platformKey(platforms[0] ?? '') }),
    ...(regions.length === 1 && { region: (regions[0] ?? '').trim() }),
  };
}

/** Returns only those values of a query that are `ExactValues`. */
export function exactPart(values: ExactValues): ExactValues {
  const set = exactNames.filter((name) => values[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, values[name]]));
}

/**
 * Returns a query for the releases with these exact values. The form of the query depends only on
 * which values are set. `param` inserts the values themselves. If `among` is passed, the query
 * reads only the rows of `among`.
 */
export function filteredExactly(
  db: Database,
  which: 'listed' | 'all',
  values: ExactValues,
  param: (name: ExactName) => Expression<string>,
  among?: Expression<unknown>,
) {
  const table = among === undefined ? tableOf(which) : sql`(${among})`;
  const query = db.selectFrom(sql<Tables['listed_release']>`${table}`.as('release'));
  const names = exactNames.filter((name) => values[name] !== undefined);
  const conditions = names.map((name) => exactConditions[name](db, param(name)));
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

const inTime = ({ dialect }: Database): Condition =>
  dialect.interruptionPoint(sql.ref('release.id'));

const exactConditions: Record<ExactName, (db: Database, value: Expression<string>) => Condition> = {
  system: (_db, value) => sql`release.system = ${value}`,
  walkedSystem: (db, value) => sql`(${inTime(db)} AND release.system || '' = ${value})`,
  platformKey: (_db, value) => ofPlatform(value),
  region: (db, value) => sql`(${inTime(db)} AND ${hasRegion(db, value)})`,
};
