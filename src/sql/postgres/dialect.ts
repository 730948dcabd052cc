import { type Expression, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../engine.ts';
import { createStaging } from './create-staging.ts';
import { digest, startLength } from './migrations/0028/texts.ts';
import { escapedMark, toArray } from './values.ts';

/** How PostgreSQL says what engines say differently. */
export const postgresDialect: Dialect = {
  list(values, type = 'text') {
    const isNumbers = type === 'integer' || typeof values[0] === 'number';
    const array = sql`CAST(${toArray(values)} AS ${sql.raw(isNumbers ? 'bigint[]' : 'text[]')})`;
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
    return sql`coalesce(json_agg(${item}${ordered(orderBy)}), '[]')`;
  },
  joined(text, separator, orderBy) {
    return sql`string_agg(${text}, ${sql.lit(separator)}${ordered(orderBy)})`;
  },
  joinedInOrder(text, separator, order) {
    // Rows that come in this order are not sorted again.
    return sql`string_agg(${text}, ${sql.lit(separator)} ORDER BY ${order})`;
  },
  like,
  contains(text, part) {
    return sql`strpos(${text}, ${part}) > 0`;
  },
  searchHits(where, pattern) {
    return hits(where, (text) => like(text, pattern));
  },
  holdTrigrams(where, trigrams) {
    return hits(where, (text) => {
      // To the letter: what is a wildcard for LIKE is escaped.
      const held = trigrams.map((trigram) => {
        const pattern = `%${trigram.replace(/[\\%_]/g, '\\$&')}%`;
        return sql`${withoutCase(text)} ILIKE ${pattern}`;
      });
      return sql`(${sql.join(held, sql` AND `)})`;
    });
  },
  endsInTime() {
    return sql`true`; // the lane sees to it, by the time of statements
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
  isOneOf(text, values) {
    const listed = sql`${this.list(values)} AS listed`;
    const begins = sql<SqlBool>`${startOf(text)} IN (SELECT ${startOf(sql.ref('value'))} FROM ${listed})`;
    // Only a long one may be the start of another text; what stands for a NUL counts twice.
    const isWhole = values.every((value) => value.length < startLength / 2);
    return isWhole ? begins : sql`(${begins} AND ${text} IN ${this.list(values)})`;
  },
  uniqueKey: digest,
  createStaging,
  now: sql<number>`CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)`,
  joinInOrder: sql`JOIN`,
  lockRows: sql`FOR UPDATE`,
};

/** What the indexes of the migrations hold of a text that may be long. */
function startOf(text: Expression<unknown> | string) {
  return sql`left(${text}, ${sql.lit(startLength)})`;
}

/** Without an escape character. */
function like(text: Expression<unknown>, pattern: string) {
  return sql<SqlBool>`${withoutCase(text)} ILIKE ${pattern} ESCAPE ''`;
}

/** In this collation only ASCII letters have another case. */
function withoutCase(text: Expression<unknown>) {
  return sql`${text} COLLATE "C"`;
}

/** Found before anything else is done with them: else the planner may walk all releases in the order of a list for them. */
function hits(where: 'name' | 'text', matches: (text: Expression<unknown>) => Expression<SqlBool>) {
  const [table, id] = where === 'name' ? ['release', 'id'] : ['release_text', 'release_id'];
  return sql`WITH hit AS MATERIALIZED (
    SELECT ${sql.ref(id)} AS id FROM ${sql.table(table)} WHERE ${matches(sql.ref(where))})
    SELECT id FROM hit`;
}

function ordered(by: Expression<unknown> | undefined) {
  return by === undefined ? sql`` : sql` ORDER BY ${by}`;
}
