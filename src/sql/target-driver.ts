import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

/** The destination of the queries of one Kysely handle. */
export interface Target {
  query<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** Returns the batches of a streamed SELECT. */
  stream<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>>;
  /** Why Kysely's own `transaction()` is unavailable on this handle. */
  readonly noTransaction: string;
}

/** Kysely's driver over a target; the engine opens and closes the connections. */
export class TargetDriver implements Driver {
  readonly #target: Target;
  readonly #connection: DatabaseConnection;

  constructor(target: Target) {
    this.#target = target;
    this.#connection = {
      executeQuery: (query) => target.query(query),
      streamQuery: (query) => target.stream(query),
    };
  }

  acquireConnection = async () => this.#connection;
  beginTransaction = async () => {
    throw new Error(this.#target.noTransaction);
  };

  init = async () => {};
  commitTransaction = async () => {};
  rollbackTransaction = async () => {};
  releaseConnection = async () => {};
  destroy = async () => {};
}
