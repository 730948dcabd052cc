import { type SqlBool, sql } from 'kysely';
import type { Database } from '../engine/engine.ts';

/**
 * Returns the condition that the column `at` is less than `windowMs` ago. A row far in the future
 * does not match, because such a row was written before the clock was set back.
 */
export function isWithin({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`at > ${now} - ${windowMs} AND at < ${now} + ${windowMs}`;
}

/** Returns the negation of the condition of `isWithin`. */
export function isOutside({ dialect: { now } }: Pick<Database, 'dialect'>, windowMs: number) {
  return sql<SqlBool>`(at <= ${now} - ${windowMs} OR at >= ${now} + ${windowMs})`;
}
