import { type RawBuilder, sql } from 'kysely';

/** Columns by commas, of the table `of` where several have them. */
export function columns(names: readonly string[], of?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(of === undefined ? name : `${of}.${name}`)));
}
