import { type RawBuilder, sql } from 'kysely';

/** Returns columns separated by commas, qualified with the table `of` if given. */
export function columns(names: readonly string[], of?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(of === undefined ? name : `${of}.${name}`)));
}
