import { type SqlBool, sql } from 'kysely';
import type { Dialect } from '../engine/dialect.ts';
import { createStaging, emptyStaging } from './create-staging.ts';
import { shortTextHits } from './short-texts.ts';
import { interruptionFunction } from './threads/interruption.ts';

const maxParts = 4;

const maxPartLength = 24;

/**
 * Returns a cheaper LIKE pattern for the trigram index. A look-up costs more with every trigram of
 * the pattern. The result matches everything that `pattern` matches. If `pattern` has many or long
 * parts, the result may match more.
 */
function trigramPattern(pattern: string): string {
  const parts = pattern.split(/[%_]/).filter((part) => [...part].length >= 3);
  if (parts.length <= maxParts && parts.every((part) => part.length <= maxPartLength))
    return pattern;
  const longest = new Set(parts.toSorted((a, b) => b.length - a.length).slice(0, maxParts));
  const kept = parts.filter((part) => longest.has(part)).slice(0, maxParts);
  // Truncates by code points, so that no character is split.
  return `%${kept.map((part) => [...part].slice(0, maxPartLength).join('')).join('%')}%`;
}

/**
 * Caches the JSON of long lists. The same list, such as all covered releases, is often used again.
 */
const longLists = new WeakMap<readonly unknown[], string>();

function jsonOf(values: readonly (string | number)[]): string {
  if (values.length < 1_000) return JSON.stringify(values);
  const json = longLists.get(values) ?? JSON.stringify(values);
  longLists.set(values, json);
  return json;
}

/** SQLite's version of the SQL that differs between the engines. */
export const sqliteDialect: Dialect = {
  list(values: readonly (string | number)[]) {
    return sql`(SELECT value FROM json_each(${jsonOf(values)}))`;
  },
  jsonObject(fields) {
    const pairs = Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
    return sql`json_object(${sql.join(pairs)})`;
  },
  jsonText(text) {
    return sql`json_quote(${text})`;
  },
  jsonArray(item, orderBy) {
    return sql`json_group_array(${item}${orderByClause(orderBy)})`;
  },
  insertAbsent(into, query) {
    // Unlike `ON CONFLICT DO NOTHING`, this clause also covers null values, so the statement cannot
    // fail after some rows. SQLite then need not copy each page before the statement changes it.
    return sql`INSERT OR IGNORE INTO ${into} ${query}`;
  },
  joinTexts(text, separator, orderBy) {
    return sql`group_concat(${text}, ${sql.lit(separator)}${orderByClause(orderBy)})`;
  },
  joinOrderedTexts(text, separator) {
    // `group_concat` joins the rows in the order in which they arrive. An ORDER BY would sort the
    // rows again.
    return sql`group_concat(${text}, ${sql.lit(separator)})`;
  },
  matches(where, pattern) {
    return sql`${sql.ref(where === 'name' ? 'release.name' : 'release_text.text')} LIKE ${pattern}`;
  },
  searchedColumn: null,
  lower(text) {
    return sql`lower(${text})`;
  },
  position(text, part) {
    return sql`instr(${text}, ${part})`;
  },
  contains(text, part) {
    return sql`instr(${text}, ${part}) > 0`;
  },
  searchHits(where, pattern) {
    const [table, column] =
      where === 'name' ? ['release_name', 'name'] : ['release_search', 'text'];
    const text = sql.ref(column);
    const narrowed = trigramPattern(pattern);
    // The index yields possible matches one at a time, and each possible match is compared.
    // `inTime` ends a search that takes too long.
    const inTime = this.interruptionPoint(sql.ref('rowid'));
    // The `+` prevents SQLite from using the index a second time.
    const whole = narrowed === pattern ? sql`` : sql` AND +${text} LIKE ${pattern}`;
    return sql`SELECT rowid AS id FROM ${sql.table(table)}
      WHERE ${inTime} AND ${text} LIKE ${narrowed}${whole}`;
  },
  isIndexedTrigram: () => true,
  candidateCondition(where, { trigrams }) {
    const [index, id] =
      where === 'name'
        ? ['release_name', 'release.id']
        : ['release_search', 'release_text.release_id'];
    const table = sql.table(index);
    const all = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
    // Uses MATCH, because LIKE would also compare the text of every hit.
    const ids = sql`SELECT rowid AS id FROM ${table}
      WHERE ${table} MATCH ${all} AND ${this.interruptionPoint(sql.ref('rowid'))}`;
    return { condition: sql<SqlBool>`${sql.ref(id)} IN (${ids})`, isExact: false, ids };
  },
  shortTextCandidates(where, text) {
    return shortTextHits(where, text, this.interruptionPoint);
  },
  entriesPerRowRead: 14,
  checksPerHit: null,
  materialized: () => null,
  isMarked(id, { first, bytes }) {
    // `substr` counts from 1, and from the end for a negative position.
    return sql`(${id} >= ${first} AND substr(${bytes}, ${id} - ${first - 1}, 1) = x'01')`;
  },
  interruptionPoint(id) {
    // Calls the function for only one row in 256, because a call costs more than the rest of the
    // condition.
    return sql`(${id} & 255 OR ${sql.raw(interruptionFunction)}())`;
  },
  nextId(table) {
    return sql`(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0) + 1)`;
  },
  textOrder(text, direction) {
    return direction === 'desc' ? sql`${text} DESC` : sql`${text}`;
  },
  textStart: () => null,
  readsIndexAlone: true,
  plansByLimit: false,
  isOneOf(text, values) {
    return sql`${text} IN ${this.list(values)}`;
  },
  uniqueKey: (column) => column,
  equalsKey: (text, other) => sql`${text} = ${other}`,
  createStaging,
  emptyStaging,
  now: sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  joinInOrder: sql`CROSS JOIN`,
  lockRows: sql``,
  shareRows: sql``,
  transactions: null,
};

function orderByClause(by: Parameters<Dialect['jsonArray']>[1]) {
  return by === undefined ? sql`` : sql` ORDER BY ${by}`;
}
