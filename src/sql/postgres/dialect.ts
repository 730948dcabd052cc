import { type Expression, type SqlBool, sql } from 'kysely';
import type { IdMarks } from '../../core/shared/id-marks.ts';
import type { Dialect } from '../engine/dialect.ts';
import { createStaging, emptyStaging } from './create-staging.ts';
import { isCoveredByTrigrams, lettersPattern, lettersPatternOf } from './letters-pattern.ts';
import { digest, startLength } from './migrations/0028/texts.ts';
import { isOfSearchLetters, lettersColumn } from './migrations/0031-search-letters.ts';
import { startCast } from './migrations/0032-text-starts.ts';
import { escapedMark, toArray } from './values.ts';

/** Caches sets of marks as bits, in the order of `get_bit`. The same marks are often used again. */
const markedBits = new WeakMap<IdMarks, Uint8Array>();

function bitsOf(marks: IdMarks): Uint8Array {
  const { bytes } = marks;
  const known = markedBits.get(marks);
  if (known !== undefined) return known;
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let at = bytes.indexOf(1); at >= 0; at = bytes.indexOf(1, at + 1)) {
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  markedBits.set(marks, bits);
  return bits;
}

/** PostgreSQL's version of the SQL that differs between the engines. */
export const postgresDialect: Dialect = {
  list(values: readonly (string | number)[], type?: 'integer') {
    const array = sql`CAST(${toArray(values)} AS ${sql.raw(type === 'integer' ? 'bigint[]' : 'text[]')})`;
    return sql`(SELECT value FROM unnest(${array}) AS listed (value))`;
  },
  jsonObject(fields) {
    const pairs = Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
    return sql`json_build_object(${sql.join(pairs)})`;
  },
  jsonText(text) {
    const json = sql`CAST(to_json(${text}) AS text)`;
    const plain = sql`regexp_replace(${json}, ${sql.lit(escapedMark)}, ${sql.lit(String.raw`\1\u000\2`)}, 'g')`;
    return sql`CASE WHEN strpos(${text}, chr(1)) = 0 THEN ${json} ELSE ${plain} END`;
  },
  jsonArray(item, orderBy) {
    return sql`coalesce(json_agg(${item}${orderByClause(orderBy)}), '[]')`;
  },
  insertAbsent(into, query) {
    return sql`INSERT INTO ${into} ${query} ON CONFLICT DO NOTHING`;
  },
  joinTexts(text, separator, orderBy) {
    return sql`string_agg(${text}, ${sql.lit(separator)}${orderByClause(orderBy)})`;
  },
  joinOrderedTexts(text, separator, order) {
    // If the rows already arrive in this order, PostgreSQL does not sort them again.
    return sql`string_agg(${text}, ${sql.lit(separator)} ORDER BY ${order})`;
  },
  matches(where, pattern) {
    const { table, column } = searchedColumns[where];
    if (pattern.includes('_')) {
      const text = sql.ref(`${table}.${column}`);
      return sql`${withoutCase(text)} ILIKE ${escapePattern(pattern)}`;
    }
    // Calls the function behind LIKE. With the LIKE operator, the planner could use the index and
    // look up all trigrams.
    return sql`textlike(${lettersOf(table)}, ${escapePattern(lettersPattern(pattern))})`;
  },
  searchedColumn: lettersColumn,
  lower(text) {
    // Sets the collation. A plain value would otherwise be converted by the locale of the database.
    return sql`lower(${withoutCase(text)})`;
  },
  position(text, part) {
    return sql`strpos(${text}, ${part})`;
  },
  contains(text, part) {
    return sql`strpos(${text}, ${part}) > 0`;
  },
  searchHits(where, pattern) {
    const { table, id } = searchedColumns[where];
    const hits = sql`SELECT ${sql.ref(id)} AS id FROM ${sql.table(table)}
      WHERE ${lettersLike(table, lettersPattern(pattern))} AND ${this.matches(where, pattern)}`;
    // MATERIALIZED makes PostgreSQL compute the hits only once, however often they are joined.
    return sql`WITH hit AS MATERIALIZED (${hits}) SELECT * FROM hit`;
  },
  isIndexedTrigram: isOfSearchLetters,
  candidateCondition(where, { patterns, trigrams }) {
    const wanted = new Set(trigrams);
    // PostgreSQL checks the rows that the index finds against these patterns. If the trigrams cover
    // each pattern completely, the whole patterns are used. The condition is then exact.
    const isExact = patterns.every((pattern) => isCoveredByTrigrams(pattern, wanted));
    const conditions = patterns
      .flatMap(
        (pattern) => (isExact ? lettersPattern(pattern) : lettersPatternOf(pattern, wanted)) ?? [],
      )
      .map((pattern) => lettersLike(searchedColumns[where].table, pattern));
    const condition = sql<SqlBool>`(${sql.join(conditions.length > 0 ? conditions : [sql`true`], sql` AND `)})`;
    return { condition, isExact, ids: null };
  },
  shortTextCandidates: () => null,
  entriesPerRowRead: null,
  checksPerHit: 0.5,
  // OFFSET 0 makes the planner find the hits first. Otherwise the planner might check all releases
  // in list order to find a few hits.
  materialized: (query) => sql`SELECT * FROM (${query}) AS hit OFFSET 0`,
  isMarked(id, marks) {
    const { first, bytes } = marks;
    // CASE prevents `get_bit` from reading a position outside of the bits, which is an error.
    return sql`CASE WHEN ${id} BETWEEN ${first} AND ${first + bytes.length - 1}
      THEN get_bit(CAST(${bitsOf(marks)} AS bytea), ${id} - ${first}) = 1 ELSE false END`;
  },
  interruptionPoint() {
    return sql`true`; // the lane ends statements by a timeout
  },
  nextId(table) {
    const sequence = sql.table(`${table}_id_seq`);
    return sql`(SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM ${sequence})`;
  },
  textOrder(text, direction) {
    return direction === 'desc'
      ? sql`${startOf(text)} DESC, ${text} DESC`
      : sql`${startOf(text)}, ${text}`;
  },
  textStart: startOf,
  readsIndexAlone: false, // an index on an expression always reads the rows
  plansByLimit: true, // a generic plan assumes a tenth of all rows (PostgreSQL 15, PREPARE)
  isOneOf(text, values) {
    const listed = sql`${this.list(values)} AS listed`;
    const begins = sql<SqlBool>`${startOf(text)} IN (SELECT ${startOf(sql.ref('value'))} FROM ${listed})`;
    // The starts of the texts are compared first. A long value may share its start with another
    // text. For such values, the whole texts are compared too. `startLength` is halved, because an
    // escaped NUL takes two characters.
    const isWhole = values.every((value) => value.length < startLength / 2);
    return isWhole ? begins : sql`(${begins} AND ${text} IN ${this.list(values)})`;
  },
  uniqueKey: digest,
  equalsKey: (text, other) => sql`text_digest(${text}) = text_digest(${other})`,
  createStaging,
  emptyStaging,
  now: sql<number>`CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)`,
  joinInOrder: sql`JOIN`,
  lockRows: sql`FOR UPDATE`,
  shareRows: sql`FOR SHARE`,
  transactions: {
    currentId: sql<string>`CAST(pg_current_xact_id() AS text)`,
    stateOf: (id) => sql<string | null>`pg_xact_status(CAST(${id} AS xid8))`,
  },
};

/**
 * Returns the start of a text, as the indexes of the migrations store it for texts that may be
 * long.
 */
function startOf(text: Expression<unknown> | string) {
  const [before, after] = startCast;
  return sql`${sql.raw(before)}${text}${sql.raw(after)}`;
}

/** The tables and columns in which releases are searched. */
const searchedColumns = {
  name: { table: 'release', id: 'id', column: 'name' },
  text: { table: 'release_text', id: 'release_id', column: 'text' },
};

/** Returns a LIKE condition on the letters of a text, which the trigram index can answer. */
function lettersLike(table: string, pattern: string) {
  return sql<SqlBool>`${lettersOf(table)} LIKE ${escapePattern(pattern)}`;
}

function lettersOf(table: string) {
  return sql.ref(`${table}.${lettersColumn}`);
}

/** Escapes the backslashes in a pattern, so that each of them matches a backslash. */
function escapePattern(pattern: string): string {
  return pattern.replaceAll('\\', '\\\\');
}

/** Returns a text in the collation "C", in which only ASCII letters have upper and lower case. */
function withoutCase(text: Expression<unknown>) {
  return sql`(${text}) COLLATE "C"`;
}

function orderByClause(by: Expression<unknown> | undefined) {
  return by === undefined ? sql`` : sql` ORDER BY ${by}`;
}
