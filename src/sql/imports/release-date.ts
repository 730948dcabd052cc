import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Returns the date that facts give, as precisely as known: "2006-04-11", "2006-04" or "2006"; null
 * without a year. The parts are texts of digits, two digits each except for the year. A day that
 * the month does not have is omitted.
 */
export function releaseDate(parts: {
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
