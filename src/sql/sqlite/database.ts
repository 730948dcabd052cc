import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Database } from '../engine/engine.ts';
import { type Target, TargetDriver } from '../engine/target-driver.ts';
import { sqliteDialect } from './dialect.ts';
import type { BatchReply, QueryReply, Statement } from './threads/protocol.ts';
import { toObjects, toSent } from './threads/values.ts';

/** Receives the queries of one handle. */
export interface QueryTarget {
  query(sql: string, params: readonly unknown[]): Promise<QueryReply>;
  /** Runs several statements one after another (`Database.runAll`). */
  queryAll?(statements: readonly Statement[]): Promise<QueryReply[]>;
  /** Returns the results of a SELECT in batches. */
  stream(sql: string, params: readonly unknown[]): AsyncIterable<BatchReply>;
  /**
   * Message of the error that is thrown for Kysely's `transaction()`, which this handle does not
   * support.
   */
  readonly noTransaction: string;
}

/** Returns a query handle that sends its queries to `target`, with SQLite's dialect. */
export function databaseOver<T>(target: QueryTarget): Database<T> {
  const queryAll = target.queryAll?.bind(target);
  const sendAll =
    queryAll &&
    (async (queries: readonly CompiledQuery[]) => {
      const statements = queries.map((each) => ({
        sql: each.sql,
        params: toSent(each.parameters),
      }));
      return (await queryAll(statements)).map(toResult);
    });
  const dialect = new ThreadDialect(target);
  return new Database<T>({ dialect }, sqliteDialect, sendAll);
}

class ThreadDialect implements Dialect {
  readonly #target: Target;
  constructor(target: QueryTarget) {
    this.#target = new ThreadTarget(target);
  }
  createDriver = () => new TargetDriver(this.#target);
  createQueryCompiler = () => new PlannedOnceCompiler();
  createAdapter = () => new ThreadAdapter();
  createIntrospector: Dialect['createIntrospector'] = (db) => new SqliteIntrospector(db);
}

/**
 * Writes `+?` instead of `?` for a parameter, which does not change the value. For a plain `?`,
 * SQLite uses the value when it plans a statement. Every new value then makes SQLite parse and plan
 * the statement again. For most statements here, this takes longer than running the statement.
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

class ThreadAdapter extends SqliteAdapter {
  // Otherwise Kysely would run only one query at a time.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ThreadTarget implements Target {
  readonly noTransaction: string;
  readonly #target: QueryTarget;

  constructor(target: QueryTarget) {
    this.noTransaction = target.noTransaction;
    this.#target = target;
  }

  async query<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    return toResult<R>(await this.#target.query(compiled.sql, toSent(compiled.parameters)));
  }

  async *stream<R>(compiled: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for await (const batch of this.#target.stream(compiled.sql, toSent(compiled.parameters))) {
      yield { rows: toObjects(batch.columns, batch.rows) as R[] };
    }
  }
}

function toResult<R>({ columns, rows, changes, lastId }: QueryReply): QueryResult<R> {
  const objects = toObjects(columns, rows) as R[];
  if (changes === undefined || lastId === undefined) return { rows: objects };
  return { rows: objects, numAffectedRows: BigInt(changes), insertId: BigInt(lastId) };
}
