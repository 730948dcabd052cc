import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

/** Receives the queries of one Kysely handle. */
export interface Target {
  query<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** Returns the results of a SELECT in batches. */
  stream<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>>;
  /**
   * Message of the error that is thrown for Kysely's `transaction()`, which this handle does not
   * support.
   */
  readonly noTransaction: string;
}

/**
 * A Kysely driver that sends all queries to a target. The driver does not open or close
 * connections, because the engine does.
 */
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
