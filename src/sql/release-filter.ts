import { type Expression, type SqlBool, sql } from 'kysely';
import { platformKey } from '../core/imports/platform.ts';
import type { ReleaseFilter } from '../core/releases/ports.ts';
import { searchWords } from '../core/shared/search-text.ts';
import type { Database } from './engine.ts';
import type { Tables } from './tables.ts';

/** Up to so many hits, sorting them is cheaper than walking the names in order. */
const fewHits = 2_000;

/**
 * The releases that a filter finds, as a query to go on with; `all` with those that an unfinished import hides, which
 * costs less.
 */
export async function filtered(
  db: Database,
  filter: ReleaseFilter,
  which: 'listed' | 'all' = 'listed',
) {
  const table = sql.table(which === 'all' ? 'release' : 'listed_release');
  let query = db.selectFrom(sql<Tables['listed_release']>`${table}`.as('release'));
  if (filter.system !== '') query = query.where('release.system', '=', filter.system);
  if (filter.platform !== '') query = query.where(ofPlatform(filter.platform));
  if (filter.region !== '') query = query.where(ofRegion(filter.region));
  if (filter.q !== '') query = query.where(await nameContains(db, filter.q));
  for (const word of searchWords(filter.search)) query = query.where(await textContains(db, word));
  return query;
}

/**
 * The condition "the name contains q, as LIKE sees it" in its cheapest form. Trigrams find few hits at once, whatever
 * the size of the catalogue; many hits are found soon by walking the names in order, which the page needs anyway.
 */
function nameContains(db: Database, q: string): Promise<Expression<SqlBool>> {
  const pattern = `%${q}%`;
  const like = sql<SqlBool>`release.name LIKE ${pattern}`;
  if (!hasTrigram(q)) return Promise.resolve(like);
  return cheapest(db, sql`SELECT rowid FROM release_name WHERE name LIKE ${pattern}`, like);
}

/** One of the alternatives of a search word; what is a wildcard for LIKE is compared once more, as it is. */
function textContains(db: Database, alternatives: readonly string[]): Promise<Expression<SqlBool>> {
  const found = alternatives.map((word) => {
    const like = sql`text LIKE ${`%${word.replaceAll('%', '_')}%`}`;
    return /[%_]/.test(word) ? sql`(${like} AND instr(text, ${word}) > 0)` : like;
  });
  const any = sql.join(found, sql` OR `);
  const like = sql<SqlBool>`EXISTS (
    SELECT 1 FROM release_text WHERE release_id = release.id AND (${any}))`;
  if (!alternatives.every(hasTrigram)) return Promise.resolve(like);
  const hits = sql.join(
    found.map((condition) => sql`SELECT rowid FROM release_search WHERE ${condition}`),
    sql` UNION `,
  );
  return cheapest(db, hits, like);
}

async function cheapest(
  db: Database,
  hits: ReturnType<typeof sql>,
  condition: Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (SELECT 1 FROM (${hits}) LIMIT ${fewHits + 1})`.execute(db);
  const few = (rows[0]?.hits ?? 0) <= fewHits;
  return few ? sql<SqlBool>`release.id IN (${hits})` : condition;
}

/** Whether three characters follow one another without a wildcard; fewer make no trigram. */
function hasTrigram(text: string): boolean {
  return /[^%_]{3}/u.test(text);
}

function ofPlatform(name: string): Expression<SqlBool> {
  const key = platformKey(name);
  return sql<SqlBool>`release.platform_id = (SELECT id FROM platform WHERE key = ${key})`;
}

/** "Europe" finds "USA, Europe", and "USA,Europe" too. */
function ofRegion(region: string): Expression<SqlBool> {
  const one = `,${region.trim()},`;
  const all = sql`',' || replace(replace(release.region, ', ', ','), ' ,', ',') || ','`;
  return sql<SqlBool>`instr(lower(${all}), lower(${one})) > 0`;
}
