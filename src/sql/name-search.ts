import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Up to so many hits, sorting them is cheaper than walking the names in order. */
const fewHits = 2_000;

/**
 * The condition "the name contains q, as LIKE sees it" in its cheapest form. Trigrams find few hits at once, whatever
 * the size of the catalogue; many hits are found soon by walking the names in order, which the page needs anyway.
 */
export async function nameContains(db: Kysely<Tables>, q: string): Promise<Expression<SqlBool>> {
  const pattern = `%${q}%`;
  const like = sql<SqlBool>`name LIKE ${pattern}`;
  if (!hasTrigram(q)) return like;
  const hits = sql`SELECT rowid FROM release_name WHERE name LIKE ${pattern}`;
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (${hits} LIMIT ${fewHits + 1})`.execute(db);
  const few = (rows[0]?.hits ?? 0) <= fewHits;
  return few ? sql<SqlBool>`id IN (${hits})` : like;
}

/** Whether three characters follow one another without a wildcard; fewer make no trigram. */
function hasTrigram(q: string): boolean {
  return /[^%_]{3}/u.test(q);
}
