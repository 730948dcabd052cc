import { type RawBuilder, sql } from 'kysely';

/**
 * Returns column names as SQL, separated by commas. If `of` is passed, each name is qualified with
 * this table.
 */
export function columns(names: readonly string[], of?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(of === undefined ? name : `${of}.${name}`)));
}
