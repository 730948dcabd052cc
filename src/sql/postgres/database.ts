import {
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { Database } from '../engine/engine.ts';
import { type Target, TargetDriver } from '../engine/target-driver.ts';
import { postgresDialect } from './dialect.ts';
import type { Reply } from './sessions/connection.ts';

/** Returns a query handle that sends its queries to `target`, with PostgreSQL's dialect. */
export function databaseOver<T>(target: Target): Database<T> {
  return new Database<T>({ dialect: new PostgresDialect(target) }, postgresDialect);
}

class PostgresDialect implements Dialect {
  readonly #target: Target;
  constructor(target: Target) {
    this.#target = target;
  }
  createDriver = () => new TargetDriver(this.#target);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector: Dialect['createIntrospector'] = (db) => new PostgresIntrospector(db);
}

/** Converts a reply to Kysely's format. */
export function toResult<R>({ rows, changes }: Reply): QueryResult<R> {
  if (changes === undefined) return { rows: rows as R[] };
  return { rows: rows as R[], numAffectedRows: BigInt(changes) };
}
