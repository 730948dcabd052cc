import { type SqlBool, sql } from 'kysely';
import type { Database } from '../engine.ts';

/**
 * Returns whether the column `at` is less than `windowMs` ago. A row from the future was written
 * before the clock was set back.
 */
export function isWithin({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`at > ${now} - ${windowMs} AND at < ${now} + ${windowMs}`;
}

/** Returns the opposite of `isWithin`. */
export function isOutside({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`(at <= ${now} - ${windowMs} OR at >= ${now} + ${windowMs})`;
}
