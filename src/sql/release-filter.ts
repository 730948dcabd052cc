import { type Expression, type SqlBool, sql } from 'kysely';
import { platformKey } from '../core/imports/platform.ts';
import type { ReleaseFilter } from '../core/releases/ports.ts';
import { searchWords } from '../core/shared/search-text.ts';
import type { Database } from './engine.ts';
import type { Tables } from './tables.ts';

/** Up to so many hits, sorting them is cheaper than walking the names in order. */
const fewHits = 2_000;

/** What a filter asks for by exact values; what is missing is not asked for. */
export interface ExactValues {
  readonly system?: string;
  readonly platformKey?: string;
  readonly region?: string;
}
type ExactName = keyof ExactValues;
const exactNames = ['system', 'platformKey', 'region'] as const;
type Condition = Expression<SqlBool>;

/**
 * The releases that a filter finds, as a query to go on with; `all` with those that an unfinished import hides, which
 * costs less.
 */
export async function filtered(
  db: Database,
  filter: ReleaseFilter,
  which: 'listed' | 'all' = 'listed',
) {
  const values = exactValues(filter);
  let query = filteredExactly(db, which, values, (name) => sql.val(values[name] ?? ''));
  if (filter.q !== '') query = query.where(await nameContains(db, filter.q));
  for (const word of searchWords(filter.search)) query = query.where(await textContains(db, word));
  return query;
}

/** The values that `filteredExactly` compares with. */
export function exactValues({ system, platform, region }: ReleaseFilter): ExactValues {
  return {
    ...(system !== '' && { system }),
    ...(platform !== '' && { platformKey: platformKey(platform) }),
    ...(region !== '' && { region: region.trim() }),
  };
}

/** The query depends on which values there are, and on them only through `param`. */
export function filteredExactly(
  db: Database,
  which: 'listed' | 'all',
  values: ExactValues,
  param: (name: ExactName) => Expression<string>,
) {
  const table = sql.table(which === 'all' ? 'release' : 'listed_release');
  const query = db.selectFrom(sql<Tables['listed_release']>`${table}`.as('release'));
  const names = exactNames.filter((name) => values[name] !== undefined);
  const conditions = names.map((name) => exactConditions[name](db, param(name)));
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

/**
 * The condition "the name contains q, as LIKE sees it" in its cheapest form. Trigrams find few hits at once, whatever
 * the size of the catalogue; many hits are found soon by walking the names in order, which the page needs anyway.
 */
function nameContains(db: Database, q: string): Promise<Expression<SqlBool>> {
  const pattern = `%${q}%`;
  const like = db.dialect.like(sql.ref('release.name'), pattern);
  if (!hasTrigram(q)) return Promise.resolve(like);
  return cheapest(db, db.dialect.searchHits('name', pattern), like);
}

/** The condition "the text for search holds one of the alternatives of a word", in its cheapest form too. */
function textContains(db: Database, alternatives: readonly string[]): Promise<Expression<SqlBool>> {
  const any = sql.join(
    alternatives.map((word) => textMatches(db, word)),
    sql` OR `,
  );
  const condition = sql<SqlBool>`EXISTS (
    SELECT 1 FROM release_text WHERE release_text.release_id = release.id AND (${any}))`;
  if (!alternatives.every(hasTrigram)) return Promise.resolve(condition);
  const hits = sql.join(
    alternatives.map((word) => textHits(db, word)),
    sql` UNION `,
  );
  return cheapest(db, hits, condition);
}

function textMatches({ dialect }: Database, word: string): Expression<SqlBool> {
  const text = sql.ref('release_text.text');
  const like = dialect.like(text, patternOf(word));
  return hasWildcard(word) ? sql`(${like} AND ${dialect.contains(text, word)})` : like;
}

function textHits({ dialect }: Database, word: string): Expression<unknown> {
  const hits = dialect.searchHits('text', patternOf(word));
  if (!hasWildcard(word)) return hits;
  return sql`SELECT release_id AS id FROM release_text WHERE release_id IN (${hits})
    AND ${dialect.contains(sql.ref('release_text.text'), word)}`;
}

/** A `%` of the word stands for one character here: what is a wildcard for LIKE is compared once more, as it is. */
function patternOf(word: string): string {
  return `%${word.replaceAll('%', '_')}%`;
}

function hasWildcard(word: string): boolean {
  return /[%_]/.test(word);
}

async function cheapest(
  db: Database,
  hits: Expression<unknown>,
  condition: Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (SELECT 1 FROM (${hits}) AS hit LIMIT ${fewHits + 1}) AS few`.execute(
    db,
  );
  const few = (rows[0]?.hits ?? 0) <= fewHits;
  return few ? sql<SqlBool>`release.id IN (${hits})` : condition;
}

/** Whether three characters follow one another without a wildcard; fewer make no trigram. */
function hasTrigram(text: string): boolean {
  return /[^%_]{3}/u.test(text);
}

const exactConditions: Record<ExactName, (db: Database, value: Expression<string>) => Condition> = {
  system: (_db, value) => sql`release.system = ${value}`,
  platformKey: (_db, value) =>
    sql`release.platform_id = (SELECT id FROM platform WHERE key = ${value})`,
  /** "Europe" finds "USA, Europe", and "USA,Europe" too. */
  region({ dialect }, value) {
    const all = sql`',' || replace(replace(release.region, ', ', ','), ' ,', ',') || ','`;
    return dialect.contains(sql`lower(${all})`, sql`lower(',' || ${value} || ',')`);
  },
};
