import { type Expression, type SqlBool, sql } from 'kysely';
import { searchWords } from '../core/shared/search-text.ts';
import { type TrigramShares, trigramsOf } from './common-trigrams.ts';
import type { Database } from './engine.ts';
import { hashConditions } from './rom-hash-conditions.ts';

/** How releases are found by a text. */
export interface TextSearch {
  /** The condition on `release`, by looking at its text. */
  readonly looked: Expression<SqlBool>;
  /** The same by looking at all texts in one pass. */
  readonly scanned: Expression<SqlBool>;
  /** The same by an index; null where none helps. */
  readonly indexed: Expression<SqlBool> | null;
  /** The same as ids to be joined with the releases, where that takes less. */
  readonly joined?: JoinedHits;
  /** The same before the texts are looked at, where those are in another table than the names. */
  readonly unlooked?: JoinedHits;
  /** Of all releases, the index gives about so many to look at: 0 to 1. */
  readonly share: number;
  /** Of all releases, about so many are found. */
  readonly found: number;
}

/** Releases, of which those are found for which the conditions hold. */
export interface JoinedHits {
  /** A query of one column `id`, each once. */
  readonly ids: Expression<unknown>;
  readonly conditions: readonly Expression<SqlBool>[];
}

/** The condition "the name contains q, as LIKE sees it". */
export function searchName(db: Database, q: string, shares: TrigramShares): TextSearch {
  const pattern = `%${q}%`;
  const looked = db.dialect.matches('name', pattern);
  const asked = { patterns: [pattern], parts: q.split(/[%_]/) };
  const index = byIndexOf(db, 'name', asked, { shares, matches: looked });
  if (index === null) return { looked, scanned: looked, ...unindexed };
  const { condition, ids, share, found } = index;
  const joined = ids && { joined: { ids, conditions: [looked] } };
  return { looked, scanned: looked, indexed: condition, ...joined, share, found };
}

/**
 * The condition "the text for search holds each word of a query, or one of its alternatives, or the word is the hash of a
 * ROM of the release".
 */
export function searchText(db: Database, query: string, shares: TrigramShares): TextSearch {
  const words = searchWords(query).map((alternatives) => wordSearch(db, alternatives, shares));
  const [plain, others] = [
    words.filter(({ isPlain }) => isPlain),
    words.filter((word) => !word.isPlain),
  ];
  const rest = others.map(({ looked }) => looked);
  const matches = all([
    db.dialect.endsInTime(sql.ref('release_id')),
    ...plain.map((word) => word.matches),
  ]);
  const texts = (which: Expression<unknown>) => sql<SqlBool>`release.id IN (
    SELECT release_id FROM release_text WHERE ${which})`;
  const looked = all(plain.length > 0 ? [holds(matches), ...rest] : rest);
  const scanned = plain.length > 0 ? all([texts(matches), ...rest]) : looked;
  const asked = {
    patterns: plain.map(({ word }) => patternOf(word)),
    parts: plain.map(({ word }) => word),
  };
  const index = byIndexOf(db, 'text', asked, { shares, matches });
  // Those that are hashes or serials have few hits, whatever else is asked for.
  const [other] = others
    .filter(({ indexed }) => indexed !== null)
    .toSorted((a, b) => a.share - b.share);
  const { share, found } = index ?? unindexed;
  if (other?.indexed && other.share <= share) {
    const more = words.filter((word) => word !== other).map((word) => word.looked);
    const { share } = other;
    const indexed = all([other.indexed, ...more]);
    return { looked, scanned, indexed, share, found: share };
  }
  if (index === null) return { looked, scanned, ...unindexed };
  const { condition, ids } = index;
  const search = { looked, scanned, share, found };
  if (ids === null) return { ...search, indexed: all([texts(condition), ...rest]) };
  const hits = sql`SELECT release_id AS id FROM (${ids}) AS hit
    ${db.dialect.joinInOrder} release_text ON release_id = hit.id WHERE ${matches}`;
  return {
    ...search,
    indexed: all([sql<SqlBool>`release.id IN (${hits})`, ...rest]),
    joined: { ids: hits, conditions: rest },
    unlooked: { ids, conditions: [looked] },
  };
}

function wordSearch(db: Database, alternatives: readonly string[], shares: TrigramShares) {
  const [word = ''] = alternatives;
  const matches = any(alternatives.map((text) => textMatches(db, text)));
  const inText = holds(matches);
  const [hash] = alternatives.flatMap((text) => hashConditions(text) ?? []);
  const looked = hash ? sql<SqlBool>`(${inText} OR ${hash.condition})` : inText;
  const isPlain = alternatives.length === 1 && hash === undefined;
  const parts = alternatives.map((text) => rarest(db, trigramsOf(text), shares));
  const isIndexed = !isPlain && parts.every(({ length }) => length > 0);
  const hits = parts.map((trigrams, i) => {
    const text = alternatives[i] ?? '';
    const asked = { patterns: [patternOf(text)], trigrams };
    const { condition } = byTrigrams(db, 'text', asked, textMatches(db, text));
    return sql`SELECT release_id FROM release_text WHERE ${condition}`;
  });
  const union = sql.join(hash ? [...hits, hash.hits] : hits, sql` UNION ALL `);
  return {
    word,
    looked,
    matches,
    isPlain,
    indexed: isIndexed ? sql<SqlBool>`release.id IN (${union})` : null,
    share: parts.reduce((sum, trigrams) => sum + shareOf(trigrams, shares), 0),
  };
}

/** How an index finds what matches patterns. */
interface ByIndex {
  readonly condition: Expression<SqlBool>;
  /** The ids that the index gives, which may be of more; null where joining them takes no less than the condition. */
  readonly ids: Expression<unknown> | null;
  readonly share: number;
  readonly found: number;
}

/**
 * `parts`: what each text that matches holds, to the letter but for its case. Null where no index helps: with none but short
 * parts, and an engine that does not find these.
 */
function byIndexOf(
  db: Database,
  where: 'name' | 'text',
  { patterns, parts }: { patterns: readonly string[]; parts: readonly string[] },
  { shares, matches }: { shares: TrigramShares; matches: Expression<SqlBool> },
): ByIndex | null {
  const trigrams = rarest(db, parts.flatMap(trigramsOf), shares);
  if (trigrams.length > 0) {
    const index = byTrigrams(db, where, { patterns, trigrams }, matches);
    return { ...index, ...sharesOf(trigrams, parts, shares) };
  }
  const [part] = parts
    .filter((text) => text !== '')
    .map((text) => ({ text, share: shares.holding([text]) }))
    .toSorted((a, b) => a.share - b.share);
  const ids = part === undefined ? null : db.dialect.mayHold(where, part.text);
  if (part === undefined || ids === null) return null;
  const id = sql.ref(where === 'name' ? 'release.id' : 'release_text.release_id');
  const condition = all([sql<SqlBool>`${id} IN (${ids})`, matches]);
  return { condition, ids, share: part.share, found: shares.holding(parts) };
}

/** The condition that these texts match, by the index; and the ids that the index gives, which may be more. */
function byTrigrams(
  { dialect }: Database,
  where: 'name' | 'text',
  asked: { patterns: readonly string[]; trigrams: readonly string[] },
  matches: Expression<SqlBool>,
) {
  const { condition, isExact, ids } = dialect.mayMatch(where, asked);
  return { condition: isExact ? condition : all([condition, matches]), ids };
}

/** With an OFFSET PostgreSQL looks for each release that it is asked of, and not at all texts beforehand. */
function holds(matches: Expression<SqlBool>): Expression<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_text
    WHERE release_text.release_id = release.id AND ${matches} LIMIT 1 OFFSET 0)`;
}

function textMatches({ dialect }: Database, word: string): Expression<SqlBool> {
  const like = dialect.matches('text', patternOf(word));
  return /[%_]/.test(word)
    ? sql`(${like} AND ${dialect.contains(sql.ref('release_text.text'), word)})`
    : like;
}

/** A `%` of the word stands for one character here: what is a wildcard for LIKE is compared once more, as it is. */
function patternOf(word: string): string {
  return `%${word.replaceAll('%', '_')}%`;
}

/** Of common trigrams, two leave too much to compare. */
const fewest = 3;
const most = 5;
/** Of all releases: what of a sample none holds, few hold. */
const leastShare = 0.0005;
/** Of what the index gives for some trigrams, one more leaves about as much where no text of a sample holds them all. */
const narrowing = 0.3;
/** An entry of a further trigram, beside one of the first: those between two hits can be passed over. */
const furtherEntry = 0.7;

/** Enough of them to find little else than the text, none of which takes long to look up. */
function rarest(
  { dialect }: Database,
  trigrams: readonly string[],
  shares: TrigramShares,
): string[] {
  const inOrder = [...new Set(trigrams)]
    .filter((trigram) => dialect.knowsTrigram(trigram))
    .map((trigram) => ({ trigram, share: shares.of(trigram) }))
    .toSorted((a, b) => a.share - b.share);
  if (dialect.entriesPerLook !== null) return cheapestOf(inOrder, dialect.entriesPerLook, shares);
  const rare = inOrder.filter(({ share }) => share < 0.02).slice(0, most);
  const few = rare.length >= fewest ? rare : inOrder.slice(0, fewest);
  return few.map(({ trigram }) => trigram);
}

/** As many of the rarest as are worth reading their entries: of common ones a further one leaves hardly less to look at. */
function cheapestOf(
  inOrder: readonly { trigram: string; share: number }[],
  entriesPerLook: number,
  shares: TrigramShares,
): string[] {
  const asked = inOrder.slice(0, most).map(({ trigram }) => trigram);
  let entries = 0;
  const costs = shares.holdingFirst(asked).map((held, i) => {
    entries += Math.max(inOrder[i]?.share ?? 0, leastShare) * (i === 0 ? 1 : furtherEntry);
    return entries + Math.max(held, leastShare * narrowing ** i) * entriesPerLook;
  });
  return asked.slice(0, costs.indexOf(Math.min(...costs)) + 1);
}

/** Of a text that the index is no help for. */
export const unindexed = { indexed: null, share: 1, found: 1 } as const;

/** What the index gives for trigrams of a text, and how much of it holds all its pieces. */
function sharesOf(trigrams: readonly string[], pieces: readonly string[], shares: TrigramShares) {
  const share = Math.min(shareOf(trigrams, shares), shares.holding(trigrams));
  return { share, found: Math.min(share, shares.holding(pieces)) };
}

function shareOf(trigrams: readonly string[], shares: TrigramShares): number {
  return trigrams.reduce((least, trigram) => Math.min(least, shares.of(trigram)), 1);
}

function all(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql`(${sql.join(conditions, sql` AND `)})`;
}

function any(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql`(${sql.join(conditions, sql` OR `)})`;
}

/** Up to so many hits, sorting them is cheaper than walking the list in its order. */
const fewHits = 2_000;

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
