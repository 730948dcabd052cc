import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

/** Where the queries of one Kysely handle go. */
export interface Target {
  query<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** The batches of a streamed SELECT. */
  stream<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>>;
  /** Why Kysely's own `transaction()` cannot be had on this handle. */
  readonly noTransaction: string;
}

/** Kysely's driver over a target, whose connections belong to the engine, which opens and closes them. */
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
