import { type Expression, sql } from 'kysely';
import { platformKey } from '../../core/imports/platform.ts';
import type { ReleaseFilter } from '../../core/releases/ports.ts';
import { searchWords } from '../../core/shared/search-text.ts';
import type { Database } from '../engine/engine.ts';
import { liftedValues, searchesOfSet } from '../sets/set-searches.ts';
import type { Tables } from '../tables.ts';
import {
  type Condition,
  hasRegion,
  isOwned,
  ofPlatform,
  ownedReleases,
  searchOf,
} from './release-conditions.ts';
import {
  cheapestCondition,
  type JoinedHits,
  searchName,
  searchText,
  type TextSearch,
} from './release-text-conditions.ts';
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
 * Returns a query for the releases with these ids, for the parameter `among` of `filteredBy`. The
 * releases are read one at a time, in the order of `ids`.
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
 * Returns the searches that a filter contains, for text, for the library and for a set. Returns an
 * empty array if the filter contains no search.
 */
export async function searchesOf(
  db: Database,
  filter: ReleaseFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  const { q, search, library = '', set } = filter;
  const searches: TextSearch[] = [];
  const hasWords = searchWords(search).length > 0;
  if (q !== '' || hasWords) {
    const shares = await trigrams.shares();
    if (q !== '') searches.push(searchName(db, q, shares));
    if (hasWords) searches.push(searchText(db, search, shares));
  }
  const onLibrary = (condition: Condition) => searches.push(searchOf(condition));
  if (library === 'have') onLibrary(await cheapestCondition(db, ownedReleases, isOwned));
  if (library === 'missing') onLibrary(sql`NOT ${isOwned}`);
  if (set !== undefined) searches.push(...(await searchesOfSet(db, set, filter, trigrams)));
  return searches;
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
export function byIndex(searches: readonly TextSearch[]): SearchesByIndex | null {
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
  const index = byIndex(searches);
  return index && index.share <= maxIndexShare
    ? index.conditions
    : searches.map(({ scanCondition }) => scanCondition);
}

/**
 * Returns the values of a filter in the form in which `filteredExactly` compares them. If every
 * release of the filter's set has the same value, the filter has this value too.
 */
export function exactValues(filter: ReleaseFilter): ExactValues {
  const { system, platform, region } = { ...filter, ...liftedValues(filter) };
  return {
    ...(system !== '' && { system }),
    ...(platform !== '' && { platformKey: platformKey(platform) }),
    ...(region !== '' && { region: region.trim() }),
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
