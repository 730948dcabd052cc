import { type SqlBool, sql } from 'kysely';
import type { Database } from '../engine.ts';

/** Whether the column `at` is less than so many milliseconds ago. A row that lies ahead is of a clock that was set back since. */
export function isWithin({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`at > ${now} - ${windowMs} AND at < ${now} + ${windowMs}`;
}

/** The opposite of `isWithin`. */
export function isOutside({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`(at <= ${now} - ${windowMs} OR at >= ${now} + ${windowMs})`;
}
