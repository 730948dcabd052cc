import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Database } from '../engine.ts';
import { type Target, TargetDriver } from '../target-driver.ts';
import { sqliteDialect } from './dialect.ts';
import type { BatchReply, QueryReply } from './protocol.ts';
import { toObjects, toSent } from './values.ts';

/** Where the queries of one handle go. */
export interface QueryTarget {
  query(sql: string, params: readonly unknown[]): Promise<QueryReply>;
  /** The batches of a streamed SELECT. */
  stream(sql: string, params: readonly unknown[]): AsyncIterable<BatchReply>;
  /** Why Kysely's own `transaction()` cannot be had on this handle. */
  readonly noTransaction: string;
}

/** A handle of SQLite's dialect whose queries go to `target`. */
export function databaseOver<T>(target: QueryTarget): Database<T> {
  return new Database<T>({ dialect: new ThreadDialect(target) }, sqliteDialect);
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
 * Writes `+?` for a parameter, which is the same value. SQLite looks at the value of a bare `?` when it plans a statement, and
 * so parses and plans it anew each time another value is bound: for most of ours that takes longer than the rest.
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

class ThreadAdapter extends SqliteAdapter {
  // Kysely would otherwise let only one query at a time through
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
    const reply = await this.#target.query(compiled.sql, toSent(compiled.parameters));
    const rows = toObjects(reply.columns, reply.rows) as R[];
    if (reply.changes === undefined || reply.lastId === undefined) return { rows };
    return { rows, numAffectedRows: BigInt(reply.changes), insertId: BigInt(reply.lastId) };
  }

  async *stream<R>(compiled: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for await (const batch of this.#target.stream(compiled.sql, toSent(compiled.parameters))) {
      yield { rows: toObjects(batch.columns, batch.rows) as R[] };
    }
  }
}
