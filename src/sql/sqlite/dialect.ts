import { sql } from 'kysely';
import type { Dialect } from '../engine.ts';
import { createStaging } from './create-staging.ts';

/** How SQLite says what engines say differently. */
export const sqliteDialect: Dialect = {
  list(values) {
    return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  },
  jsonObject(fields) {
    const pairs = Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
    return sql`json_object(${sql.join(pairs)})`;
  },
  jsonArray(item, orderBy) {
    return sql`json_group_array(${item}${ordered(orderBy)})`;
  },
  joined(text, separator, orderBy) {
    return sql`group_concat(${text}, ${sql.lit(separator)}${ordered(orderBy)})`;
  },
  like(text, pattern) {
    return sql`${text} LIKE ${pattern}`;
  },
  contains(text, part) {
    return sql`instr(${text}, ${part}) > 0`;
  },
  searchHits(where, pattern) {
    return where === 'name'
      ? sql`SELECT rowid AS id FROM release_name WHERE name LIKE ${pattern}`
      : sql`SELECT rowid AS id FROM release_search WHERE text LIKE ${pattern}`;
  },
  nextId(table) {
    return sql`(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0) + 1)`;
  },
  createStaging,
  joinInOrder: sql`CROSS JOIN`,
  lockRows: sql``,
};

function ordered(by: Parameters<Dialect['jsonArray']>[1]) {
  return by === undefined ? sql`` : sql` ORDER BY ${by}`;
}
