import { type RawBuilder, sql } from 'kysely';
import type { FilledField } from '../../../core/shared/release-fields.ts';
import { releaseDate } from './release-date.ts';

/**
 * Returns an aggregate: the value of a field, from a group of facts with the columns `field` and
 * `value`. The value is null if no fact contains the field.
 */
export function fieldOfFacts(field: FilledField | 'serial'): RawBuilder<string | null> {
  const fact = (name: string) =>
    sql<string | null>`max(CASE WHEN field = ${sql.lit(name)} THEN value END)`;
  if (field !== 'release_date') return fact(field);
  return releaseDate({ year: fact('year'), month: fact('month'), day: fact('day') });
}
