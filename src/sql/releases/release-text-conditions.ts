import { type Expression, type SqlBool, sql } from 'kysely';
import { searchWords } from '../../core/shared/search-text.ts';
import type { Database } from '../engine/engine.ts';
import { type TrigramShares, trigramsOf } from './trigram-sample.ts';

const hashColumns = new Map([
  [8, 'crc32'],
  [32, 'md5'],
  [40, 'sha1'],
]);

/** The SQL conditions that find releases by a text. */
export interface TextSearch {
  /** The condition on `release` that checks the text of each release. */
  readonly rowCondition: Expression<SqlBool>;
  /** An equivalent condition that checks all texts in one pass. */
  readonly scanCondition: Expression<SqlBool>;
  /** An equivalent condition that uses an index. Null if no index helps. */
  readonly indexed: Expression<SqlBool> | null;
  /**
   * The ids of the matching releases, to be joined with the releases. Set only if the join is
   * cheaper than `indexed`.
   */
  readonly joined?: JoinedHits;
  /**
   * The index hits before their texts are checked. Set only if the texts are not in the same table
   * as the names.
   */
  readonly uncheckedHits?: JoinedHits;
  /** Estimated share of all releases that the index returns as candidates, from 0 to 1. */
  readonly share: number;
  /** Estimated share of all releases that match, from 0 to 1. */
  readonly found: number;
  /**
   * True if the conditions read other columns than the id and the name. Such conditions cannot
   * check the rows of `firstReleasesOf`.
   */
  readonly readsColumns?: boolean;
}

/** Candidate releases. A candidate matches if it meets all conditions. */
export interface JoinedHits {
  /** A query with one distinct column `id`. */
  readonly ids: Expression<unknown>;
  readonly conditions: readonly Expression<SqlBool>[];
}

/** Returns the search for releases whose name contains `q`. LIKE wildcards in `q` apply. */
export function searchName(db: Database, q: string, shares: TrigramShares): TextSearch {
  const pattern = `%${q}%`;
  const rowCondition = db.dialect.matches('name', pattern);
  const searched = { patterns: [pattern], parts: q.split(/[%_]/) };
  const index = byIndexOf(db, 'name', searched, { shares, matches: rowCondition });
  if (index === null) return { rowCondition, scanCondition: rowCondition, ...unindexed };
  const { condition, ids, share, found } = index;
  const joined = ids && { joined: { ids, conditions: [rowCondition] } };
  return { rowCondition, scanCondition: rowCondition, indexed: condition, ...joined, share, found };
}

/**
 * Returns the search for releases whose search text contains every word of a query. Instead of a
 * word, the text may contain an alternative of the word. A word that is a hash also matches
 * releases with a ROM that has the hash.
 */
export function searchText(db: Database, query: string, shares: TrigramShares): TextSearch {
  const words = searchWords(query).map((alternatives) => wordSearch(db, alternatives, shares));
  const [plain, others] = [
    words.filter(({ isPlain }) => isPlain),
    words.filter((word) => !word.isPlain),
  ];
  const rest = others.map(({ rowCondition }) => rowCondition);
  const matches = all([
    db.dialect.interruptionPoint(sql.ref('release_id')),
    ...plain.map((word) => word.matches),
  ]);
  const texts = (which: Expression<unknown>) => sql<SqlBool>`release.id IN (
    SELECT release_id FROM release_text WHERE ${which})`;
  const rowCondition = all(plain.length > 0 ? [textExists(matches), ...rest] : rest);
  const scanCondition = plain.length > 0 ? all([texts(matches), ...rest]) : rowCondition;
  const searched = {
    patterns: plain.map(({ word }) => patternOf(word)),
    parts: plain.map(({ word }) => word),
  };
  const index = byIndexOf(db, 'text', searched, { shares, matches });
  // A word that is a hash or a serial usually has few hits. If such a word has the fewest hits, its
  // index is used instead.
  const [other] = others
    .filter(({ indexed }) => indexed !== null)
    .toSorted((a, b) => a.share - b.share);
  const { share, found } = index ?? unindexed;
  if (other?.indexed && other.share <= share) {
    const more = words.filter((word) => word !== other).map((word) => word.rowCondition);
    const { share } = other;
    const indexed = all([other.indexed, ...more]);
    return { rowCondition, scanCondition, indexed, share, found: share };
  }
  if (index === null) return { rowCondition, scanCondition, ...unindexed };
  const { condition, ids } = index;
  const search = { rowCondition, scanCondition, share, found };
  if (ids === null) return { ...search, indexed: all([texts(condition), ...rest]) };
  const hits = sql`SELECT release_id AS id FROM (${ids}) AS hit
    ${db.dialect.joinInOrder} release_text ON release_id = hit.id WHERE ${matches}`;
  return {
    ...search,
    indexed: all([sql<SqlBool>`release.id IN (${hits})`, ...rest]),
    joined: { ids: hits, conditions: rest },
    uncheckedHits: { ids, conditions: [rowCondition] },
  };
}

function wordSearch(db: Database, alternatives: readonly string[], shares: TrigramShares) {
  const [word = ''] = alternatives;
  const matches = any(alternatives.map((text) => textMatches(db, text)));
  const inText = textExists(matches);
  const [hash] = alternatives.flatMap((text) => hashConditions(text) ?? []);
  const rowCondition = hash ? sql<SqlBool>`(${inText} OR ${hash.condition})` : inText;
  const isPlain = alternatives.length === 1 && hash === undefined;
  const parts = alternatives.map((text) => rarest(db, trigramsOf(text), shares));
  const isIndexed = !isPlain && parts.every(({ length }) => length > 0);
  const hits = parts.map((trigrams, i) => {
    const text = alternatives[i] ?? '';
    const searched = { patterns: [patternOf(text)], trigrams };
    const { condition } = byTrigrams(db, 'text', searched, textMatches(db, text));
    return sql`SELECT release_id FROM release_text WHERE ${condition}`;
  });
  const union = sql.join(hash ? [...hits, hash.hits] : hits, sql` UNION ALL `);
  return {
    word,
    rowCondition,
    matches,
    isPlain,
    indexed: isIndexed ? sql<SqlBool>`release.id IN (${union})` : null,
    share: parts.reduce((sum, trigrams) => sum + shareOf(trigrams, shares), 0),
  };
}

/** The conditions and estimates for finding, by an index, the texts that match all patterns. */
interface ByIndex {
  readonly condition: Expression<SqlBool>;
  /**
   * A query for the ids that the index returns. The ids may include releases whose text does not
   * match. Null unless a join with the ids is cheaper than `condition`.
   */
  readonly ids: Expression<unknown> | null;
  readonly share: number;
  readonly found: number;
}

/**
 * Returns the index search for `patterns`. `parts` are texts that every match contains, ignoring
 * case. Returns null if no index helps: all parts are short, and the engine has no index for short
 * texts.
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
    .map((text) => ({ text, share: shares.containingAll([text]) }))
    .toSorted((a, b) => a.share - b.share);
  const ids = part === undefined ? null : db.dialect.shortTextCandidates(where, part.text);
  if (part === undefined || ids === null) return null;
  const id = sql.ref(where === 'name' ? 'release.id' : 'release_text.release_id');
  const condition = all([sql<SqlBool>`${id} IN (${ids})`, matches]);
  return { condition, ids, share: part.share, found: shares.containingAll(parts) };
}

/**
 * Returns the condition that texts match the patterns, checked by the trigram index. Also returns
 * the query for the ids that the index finds. The ids may include releases whose text does not
 * match.
 */
function byTrigrams(
  { dialect }: Database,
  where: 'name' | 'text',
  searched: { patterns: readonly string[]; trigrams: readonly string[] },
  matches: Expression<SqlBool>,
) {
  const { condition, isExact, ids } = dialect.candidateCondition(where, searched);
  return { condition: isExact ? condition : all([condition, matches]), ids };
}

/**
 * Returns the condition that the search text of a release matches. The OFFSET makes PostgreSQL
 * check the text of one release at a time, instead of scanning all texts first.
 */
function textExists(matches: Expression<SqlBool>): Expression<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_text
    WHERE release_text.release_id = release.id AND ${matches} LIMIT 1 OFFSET 0)`;
}

function textMatches({ dialect }: Database, word: string): Expression<SqlBool> {
  const like = dialect.matches('text', patternOf(word));
  return /[%_]/.test(word)
    ? sql`(${like} AND ${dialect.contains(sql.ref('release_text.text'), word)})`
    : like;
}

/**
 * Returns the LIKE pattern for a word. A `%` in the word becomes `_`, so the pattern may match too
 * much. `textMatches` therefore also compares words with wildcards exactly.
 */
function patternOf(word: string): string {
  return `%${word.replaceAll('%', '_')}%`;
}

/**
 * Minimum number of trigrams to look up if all of them are common. Two trigrams would leave too
 * many candidates to check.
 */
const minTrigrams = 3;
const maxTrigrams = 5;
/** Assumed share of releases for a trigram that no sampled text contains. */
const minShare = 0.0005;
/**
 * Estimated share of candidates that remain after each further trigram. This estimate is used if no
 * sampled text contains all trigrams.
 */
const narrowing = 0.3;
/**
 * Cost of reading an index entry of a further trigram, relative to an entry of the first trigram.
 * The cost is lower, because entries between two hits can be skipped.
 */
const furtherEntry = 0.7;

/**
 * Returns the trigrams to look up: enough rare trigrams to leave few false candidates, but no
 * trigram that takes long to look up.
 */
function rarest(
  { dialect }: Database,
  trigrams: readonly string[],
  shares: TrigramShares,
): string[] {
  const inOrder = [...new Set(trigrams)]
    .filter((trigram) => dialect.isIndexedTrigram(trigram))
    .map((trigram) => ({ trigram, share: shares.of(trigram) }))
    .toSorted((a, b) => a.share - b.share);
  if (dialect.entriesPerRowRead !== null)
    return cheapestOf(inOrder, dialect.entriesPerRowRead, shares);
  const rare = inOrder.filter(({ share }) => share < 0.02).slice(0, maxTrigrams);
  const few = rare.length >= minTrigrams ? rare : inOrder.slice(0, minTrigrams);
  return few.map(({ trigram }) => trigram);
}

/**
 * Returns as many of the rarest trigrams as are worth looking up. A further common trigram would
 * take time and hardly reduce the candidates.
 */
function cheapestOf(
  inOrder: readonly { trigram: string; share: number }[],
  entriesPerRow: number,
  shares: TrigramShares,
): string[] {
  const candidates = inOrder.slice(0, maxTrigrams).map(({ trigram }) => trigram);
  let entries = 0;
  const costs = shares.containingPrefixes(candidates).map((held, i) => {
    entries += Math.max(inOrder[i]?.share ?? 0, minShare) * (i === 0 ? 1 : furtherEntry);
    return entries + Math.max(held, minShare * narrowing ** i) * entriesPerRow;
  });
  return candidates.slice(0, costs.indexOf(Math.min(...costs)) + 1);
}

/** Values for a search without a helpful index. */
export const unindexed = { indexed: null, share: 1, found: 1 } as const;

/**
 * Estimates two shares of all releases:
 * - `share`: the releases that the index returns for these trigrams;
 * - `found`: the releases whose text contains all pieces.
 */
function sharesOf(trigrams: readonly string[], pieces: readonly string[], shares: TrigramShares) {
  const share = Math.min(shareOf(trigrams, shares), shares.containingAll(trigrams));
  return { share, found: Math.min(share, shares.containingAll(pieces)) };
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

/**
 * Maximum number of hits for which sorting the hits is cheaper than reading the list in its order.
 */
export const fewHits = 2_000;

/**
 * Returns the cheapest condition to find the hits. If there are few hits, the result is the
 * condition that a release is among the hits. Otherwise the result is `condition`, which is checked
 * for each release in list order.
 */
export async function cheapestCondition(
  db: Database,
  hits: Expression<unknown>,
  condition: Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  return (await hasFewHits(db, hits)) ? sql<SqlBool>`release.id IN (${hits})` : condition;
}

/** Returns true if a query has at most `fewHits` hits, which are cheap to sort. */
export async function hasFewHits(db: Database, hits: Expression<unknown>): Promise<boolean> {
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*) AS hits FROM (SELECT 1 FROM (${hits}) AS hit LIMIT ${fewHits + 1}) AS few`.execute(
    db,
  );
  return (rows[0]?.hits ?? 0) <= fewHits;
}

/**
 * Returns the SQL to find releases by a word that may be the CRC-32, MD5 or SHA-1 of a ROM. The
 * word must be in lower case. `hits` is a query for the ids of these releases; `condition` is a
 * condition on `release`. Returns null if the word is not a hash.
 */
function hashConditions(
  word: string,
): { hits: Expression<unknown>; condition: Expression<SqlBool> } | null {
  const column = hashColumns.get(word.length);
  if (column === undefined || !/^[0-9a-f]+$/.test(word)) return null;
  return {
    hits: hitsOf(word),
    condition: sql<SqlBool>`EXISTS (
      SELECT 1 FROM rom WHERE rom.release_id = release.id AND ${sql.ref(`rom.${column}`)} = ${word})`,
  };
}

/**
 * Returns the query for the ids of releases with this hash. A CRC-32 is stored as `crc32:size`. All
 * entries of one CRC-32 are therefore between `crc32:` and `crc32;`, because `;` is the next
 * character after `:`.
 */
function hitsOf(word: string): Expression<unknown> {
  return word.length === 8
    ? sql`SELECT release_id AS id FROM rom_hash WHERE hash > ${`${word}:`} AND hash < ${`${word};`}`
    : sql`SELECT release_id AS id FROM rom_hash WHERE hash = ${word}`;
}
