import { type Expression, type SqlBool, sql } from 'kysely';
import type { RecordFilter } from '../../../core/releases/ports.ts';
import { searchWords } from '../../../core/shared/search-text.ts';
import type { Database } from '../../engine/engine.ts';
import { searchesOfSet } from '../../sets/set-searches.ts';
import { isAmongMany, isOwned, searchOf } from '../release-conditions.ts';
import {
  cheapestCondition,
  searchName,
  searchText,
  type TextSearch,
} from '../release-text-conditions.ts';
import type { Trigrams } from '../trigram-sample.ts';
import { metaCondition, metaNames } from './meta-values.ts';

/** Maximum number of hits that are found by an index and then sorted. */
export const maxIndexedHits = 50_000;

/**
 * Returns the searches that a filter contains, except those that rows of `release_count` can check
 * too (`several-values.ts`).
 */
export async function filterSearches(
  db: Database,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  return [
    ...(await textSearches(db, filter, trigrams)),
    ...(await librarySearches(db, filter, trigrams)),
    ...(await coverSearches(db, filter, trigrams)),
    ...(await metaSearches(db, filter, trigrams)),
    ...(filter.set ? await searchesOfSet(db, filter.set, filter, trigrams) : []),
  ];
}

async function textSearches(
  db: Database,
  { q, search }: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  const hasWords = searchWords(search).length > 0;
  if (q === '' && !hasWords) return [];
  const shares = await trigrams.shares();
  return [
    ...(q === '' ? [] : [searchName(db, q, shares)]),
    ...(hasWords ? [searchText(db, search, shares)] : []),
  ];
}

const ownedIds = sql`SELECT DISTINCT release_id AS id FROM library_file WHERE release_id IS NOT NULL`;
const isHashed = sql<SqlBool>`library_file.method IN ('sha1', 'md5', 'crc32')`;
const verifiedIds = sql`${ownedIds} AND ${isHashed}`;
const ofFile = sql`SELECT 1 FROM library_file WHERE library_file.release_id = release.id`;

/**
 * The conditions on the state of the files of a release, in the form that is fastest for counting
 * all releases.
 */
export const libraryConditions = {
  have: sql<SqlBool>`release.id IN (${ownedIds})`,
  verified: sql<SqlBool>`release.id IN (${verifiedIds})`,
};

async function librarySearches(
  db: Database,
  { library = '' }: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  if (library === '') return [];
  if (library === 'missing') return [searchOf(sql`NOT ${isOwned}`)];
  if (library === 'have') {
    return [searchOf(await cheapestCondition(db, ownedIds, isOwned), libraryConditions.have)];
  }
  const isVerified = sql<SqlBool>`EXISTS (${ofFile} AND ${isHashed})`;
  return [await searchByIds(db, { ids: verifiedIds, rowCondition: isVerified }, trigrams)];
}

/** Returns the condition that a release is among the releases with a cover. */
export function isCovered(db: Database, { coveredIds = [] }: RecordFilter) {
  return isAmongMany(db, coveredIds);
}

async function coverSearches(
  db: Database,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  const { cover = '', coveredIds = [] } = filter;
  if (cover === '') return [];
  const condition = isCovered(db, filter);
  if (cover === 'missing') return [searchOf(sql`NOT ${condition}`)];
  const list = db.dialect.list(coveredIds, 'integer');
  const ids = sql`SELECT value AS id FROM ${list} AS covered`;
  const isIndexed = coveredIds.length <= maxIndexedHits;
  const isAmong = isIndexed ? sql<SqlBool>`release.id IN ${list}` : condition;
  const hits = { ids, rowCondition: condition, isAmong };
  return [searchFor(hits, coveredIds.length, await trigrams.shares())];
}

async function metaSearches(
  db: Database,
  filter: RecordFilter,
  trigrams: Trigrams,
): Promise<TextSearch[]> {
  const searches = metaNames.map(async (name) => {
    const condition = metaCondition(db, name, filter);
    if (condition === null) return [];
    const { interruptionPoint } = db.dialect;
    const ids = sql`SELECT release_meta.release_id AS id FROM release_meta
      WHERE ${condition} AND ${interruptionPoint(sql.ref('release_meta.release_id'))}`;
    const rowCondition = sql<SqlBool>`EXISTS (SELECT 1 FROM release_meta
      WHERE release_meta.release_id = release.id AND ${condition})`;
    return [await searchByIds(db, { ids, rowCondition }, trigrams)];
  });
  return (await Promise.all(searches)).flat();
}

/** Returns the search for releases whose ids an index finds. Counts the ids, up to a limit. */
async function searchByIds(
  db: Database,
  { ids, rowCondition }: { ids: Expression<unknown>; rowCondition: Expression<SqlBool> },
  trigrams: Trigrams,
): Promise<TextSearch> {
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (SELECT 1 FROM (${ids}) AS hit LIMIT ${maxIndexedHits + 1}) AS few`.execute(
    db,
  );
  const isAmong = sql<SqlBool>`release.id IN (${ids})`;
  return searchFor({ ids, rowCondition, isAmong }, rows[0]?.hits ?? 0, await trigrams.shares());
}

interface Hits {
  /** A query with one distinct column `id`. */
  readonly ids: Expression<unknown>;
  /** The condition that checks one release. */
  readonly rowCondition: Expression<SqlBool>;
  /** The condition that a release is among `ids`. */
  readonly isAmong: Expression<SqlBool>;
}

function searchFor(
  { ids, rowCondition, isAmong }: Hits,
  hits: number,
  { all }: { readonly all: number },
): TextSearch {
  if (hits > maxIndexedHits) return searchOf(rowCondition, isAmong);
  const share = Math.min(1, hits / Math.max(all, 1));
  return {
    ...{ rowCondition, scanCondition: isAmong, indexed: isAmong },
    joined: { ids, conditions: [] },
    ...{ share, found: share },
  };
}
