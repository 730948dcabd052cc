import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from './engine.ts';
import { hashConditions } from './rom-hash-conditions.ts';

/** Up to so many hits, sorting them is cheaper than walking the list in its order. */
const fewHits = 2_000;

/**
 * The condition "the name contains q, as LIKE sees it" in its cheapest form. Trigrams find few hits at once, whatever
 * the size of the catalogue; many hits are found soon by walking the names in order, which the page needs anyway.
 */
export function nameContains(db: Database, q: string): Promise<Expression<SqlBool>> {
  const pattern = `%${q}%`;
  const like = db.dialect.like(sql.ref('release.name'), pattern);
  if (!hasTrigram(q)) return Promise.resolve(like);
  return cheapest(db, db.dialect.searchHits('name', pattern), like);
}

/**
 * The condition "the text for search holds one of the alternatives of a word, or the word is the hash of a ROM", in its
 * cheapest form too.
 */
export function textContains(
  db: Database,
  alternatives: readonly string[],
): Promise<Expression<SqlBool>> {
  const any = sql.join(
    alternatives.map((word) => textMatches(db, word)),
    sql` OR `,
  );
  const inText = sql<SqlBool>`EXISTS (
    SELECT 1 FROM release_text WHERE release_text.release_id = release.id AND (${any}))`;
  const [hash] = alternatives.flatMap((word) => hashConditions(word) ?? []);
  const condition = hash ? sql<SqlBool>`(${inText} OR ${hash.condition})` : inText;
  if (!alternatives.every(hasTrigram)) return Promise.resolve(condition);
  const textual = alternatives.map((word) => textHits(db, word));
  // Twice the same one does no harm, and the count of few need not wait for the last.
  const hits = sql.join(hash ? [...textual, hash.hits] : textual, sql` UNION ALL `);
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

/** By the hits where they are few, else by the condition, which the walk in order then checks. */
export async function cheapest(
  db: Database,
  hits: Expression<unknown>,
  condition: Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  return (await areFew(db, hits)) ? sql<SqlBool>`release.id IN (${hits})` : condition;
}

/** Whether so few rows are found that sorting them is nothing. */
export async function areFew(db: Database, hits: Expression<unknown>): Promise<boolean> {
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (SELECT 1 FROM (${hits}) AS hit LIMIT ${fewHits + 1}) AS few`.execute(
    db,
  );
  return (rows[0]?.hits ?? 0) <= fewHits;
}

/** Whether three characters follow one another without a wildcard; fewer make no trigram. */
function hasTrigram(text: string): boolean {
  return /[^%_]{3}/u.test(text);
}
