import { type RawBuilder, sql } from 'kysely';
import type { FilledField } from '../../core/shared/release-fields.ts';
import { releaseDate } from './release-date.ts';

/**
 * Returns the value of a field that the facts (field, value) of a group give; null if there is
 * none.
 */
export function fieldOfFacts(field: FilledField | 'serial'): RawBuilder<string | null> {
  const fact = (name: string) =>
    sql<string | null>`max(CASE WHEN field = ${sql.lit(name)} THEN value END)`;
  if (field !== 'release_date') return fact(field);
  return releaseDate({ year: fact('year'), month: fact('month'), day: fact('day') });
}
