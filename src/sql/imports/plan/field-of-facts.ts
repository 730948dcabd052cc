import { type Expression, type RawBuilder, sql } from 'kysely';
import type { FilledField } from '../../../core/shared/release-fields.ts';

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

/**
 * Returns the date from facts, as precisely as it is known: "2006-04-11", "2006-04" or "2006".
 * Returns null without a year. The parts are texts of digits; the month and the day have two
 * digits. The day is omitted if the month does not have this day.
 */
function releaseDate(parts: {
  readonly year: Expression<unknown>;
  readonly month: Expression<unknown>;
  readonly day: Expression<unknown>;
}): RawBuilder<string | null> {
  const { year, month, day } = parts;
  const number = sql`CAST(${year} AS integer)`;
  const isLeap = sql`${number} % 4 = 0 AND (${number} % 100 <> 0 OR ${number} % 400 = 0)`;
  const lastDay = sql`CASE WHEN ${month} IN ('04', '06', '09', '11') THEN '30'
    WHEN ${month} <> '02' THEN '31' WHEN ${isLeap} THEN '29' ELSE '28' END`;
  return sql`coalesce(
    CASE WHEN ${day} <= ${lastDay} THEN ${year} || '-' || ${month} || '-' || ${day} END,
    ${year} || '-' || ${month}, ${year})`;
}
