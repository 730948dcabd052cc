import {
  type CompiledQuery,
  Kysely,
  type KyselyConfig,
  type KyselyPlugin,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import type { TableReader } from '../rows/row-ports.ts';
import type { Tables } from '../tables.ts';
import type { Dialect } from './dialect.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * The operations on a database that adapters use, whatever the engine is. Text columns compare and
 * sort by code point, which the schema of each engine ensures (docs/api/decisions.md, In general).
 */
export interface Engine<T = Tables> {
  /**
   * Name of the database in messages: the absolute path of the database file, or the URL of the
   * database without user and password.
   */
  readonly name: string;
  /**
   * Handle for SELECTs that an index answers. Each SELECT sees the newest committed state. Integers
   * within +-(2^53-1) are returned as numbers and other integers as bigints, so every integer is
   * exact. `.stream()` uses constant memory for any chunk size. While a stream is open, the engine
   * cannot clean up after writers. For a slow reader, use pages instead of a stream.
   */
  readonly read: Database<T>;
  /**
   * Handle for SELECTs that may read whole tables, such as searches and counts. SELECTs of `read`
   * never wait for SELECTs of this handle. Clients are served in rotation.
   *
   * A client's SELECT (`core/shared/requests/client-context.ts`) is refused with busy() in
   * these cases:
   * - too many SELECTs of the client, or of all clients, are queued;
   * - the SELECT waits or runs too long.
   *
   * Every such SELECT must include the condition `dialect.interruptionPoint`, so that the engine
   * can end the SELECT.
   */
  readonly longRead: Database<T>;
  /**
   * Runs `work` in one transaction. Resolves when the commit is durable. Rolls back and rethrows
   * the error when `work` throws. Other transactions may run concurrently. They may see and change
   * rows that this transaction does not lock (`dialect.lockRows`).
   *
   * `work` must not do anything slow and must not call write(). The engine may end the transaction
   * in favour of another one, and then run `work` again from the start. The engine also restarts
   * `work` if the transaction is idle for too long while another process waits.
   *
   * Work that belongs to a job runs only while the job has its lease
   * (`core/shared/processes/job-lease.ts`). Otherwise write() throws `LeaseLost`. Work that changes
   * files under a reservation runs only while the reservation exists
   * (`core/shared/files/reserved-work.ts`). Otherwise write() throws busyOutcomeUnknown().
   *
   * Throws busy() if the transaction could not begin, or get its locks, within `busyMs` (default
   * 4500). Throws busyOutcomeUnknown() if it is unknown whether the transaction was committed.
   * Throws insufficientStorage() if the disk is full, and `UniqueViolation` for a row that already
   * exists.
   */
  write<R>(work: Work<R, T>, options?: WriteOptions): Promise<R>;
  /**
   * Handle for single writing statements. Each statement is its own transaction, so no transaction
   * stays open while this thread computes. The lease of a job is not checked. Throws the same
   * errors as write().
   */
  readonly single: Database<T>;
  /**
   * Runs `work` outside of any transaction and without the write lock, to fill staging tables
   * (`dialect.createStaging`). `work` changes only staging tables; the next write() sees the
   * changed rows. Other work may write and stage between the queries of `work`. Staging tables are
   * lost when the disk or the engine fails. Sorts of whole tables use little memory. Once `signal`
   * is aborted, throws the signal's reason before the next query.
   */
  stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R>;
  /**
   * Checks the free disk space before a part of long work. If the work fails later, its committed
   * parts must be removed, which needs space too. Throws insufficientStorage() if there is too
   * little space for the removal.
   */
  checkFreeSpace(): Promise<void>;
  /**
   * Returns how long the next part of long work may take, in ms (`WriteOptions.isPart`). The time
   * is short while other writes have to wait for parts to end, and grows while none do.
   */
  partMs(): number;
  /**
   * Reserves disk space for small writes. On a full disk, users can then still log in and delete
   * files. Throws insufficientStorage() if there is too little space to reserve. Also throws the
   * errors of write().
   */
  reserveSpace(): Promise<void>;
  /**
   * Returns a number that changes whenever any process commits. Never waits. Returns null if the
   * engine cannot detect commits.
   */
  commits(): number | null;
  /** Returns the number of queued SELECTs of each handle. */
  waiting(): { readonly read: number; readonly longRead: number };
  /** Throws when the database cannot be read. */
  checkHealth(): Promise<void>;
  /**
   * Reads the whole database to find damage. Returns a description of the first damage, or null if
   * there is no damage. Rejects if the database cannot be queried.
   */
  findFault(): Promise<string | null>;
  /**
   * Makes a durable write that changes nothing, to check that writing works. Throws if the write
   * fails.
   */
  checkWrites(): Promise<void>;
  /**
   * Writes a consistent copy to a new file that only its owner can read. Other work may read and
   * write meanwhile. When the promise resolves, the contents of the copy are durable, but its
   * directory entry is not yet durable. `whileLocked` runs once the state to copy is fixed; all
   * writes wait until `whileLocked` returns. A failed copy leaves no file behind. Throws refused()
   * if the file exists, a disk fails, or the database is not a file. Throws the signal's reason
   * when the signal is aborted.
   */
  copy(file: string, options?: CopyOptions): Promise<void>;
  /**
   * Runs `work` on a consistent snapshot of the tables, which later writes do not change.
   * `whileLocked` runs once the snapshot is fixed. Until `whileLocked` returns, the database's
   * records of files do not change.
   */
  snapshot<R>(
    work: (snapshot: Snapshot) => Promise<R>,
    whileLocked?: () => Promise<void>,
  ): Promise<R>;
  /** Waits for pending queries, ends open streams, and closes all connections. */
  close(): Promise<void>;
}

/** The state of a database at one moment. */
export interface Snapshot {
  /** Version of the database's schema. */
  readonly version: number;
  readonly reader: TableReader;
}

/** A database opened read-only. The database is never created, upgraded or written. */
export interface ReadOnlyDatabase {
  readonly read: Database<Tables>;
  /**
   * Version of the database's schema. The version is 0 if the database is empty, and null if the
   * database belongs to another program.
   */
  readonly version: number | null;
  /** The newest schema version that this program knows. */
  readonly knownVersion: number;
  /**
   * Reads the whole database to find damage. Throws an error whose message describes the damage.
   */
  checkIntegrity(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly whileLocked?: (() => Promise<void>) | undefined;
}

/**
 * Work that gets the handle `db` for queries, and `bulk` for statements with many rows. Both
 * handles are valid only until the work ends.
 */
export type Work<R, T = Tables> = (db: Database<T>, bulk: Bulk) => Promise<R>;

/** Runs one statement for many rows of parameters, without sending each row in its own message. */
export interface Bulk {
  /**
   * Runs a statement for each row and returns the number of changed rows. The statement has a `?`
   * for each parameter and returns no rows. Inside write() the run is part of the transaction;
   * inside stage() the run is a transaction of its own.
   */
  run(statement: string, rows: readonly (readonly unknown[])[]): Promise<number>;
}

/** A query handle that also provides the SQL dialect of its engine. */
export class Database<T = Tables> extends Kysely<T> {
  readonly dialect: Dialect;
  readonly #config: KyselyConfig;
  readonly #sendAll: SendAll | undefined;

  /** Without `sendAll`, `runAll` sends its statements one by one. */
  constructor(config: KyselyConfig, dialect: Dialect, sendAll?: SendAll) {
    super(config);
    this.dialect = dialect;
    this.#config = config;
    this.#sendAll = sendAll;
  }

  /**
   * Runs statements one after another, and returns the result of each. Throws the error of the
   * first statement that fails; the statements after it do not run. If the engine runs on another
   * thread, all statements are sent in one message, which saves time if they are short. Other work
   * may have to wait until all have run.
   */
  async runAll<R = unknown>(statements: readonly RawBuilder<unknown>[]): Promise<QueryResult<R>[]> {
    const queries = statements.map((statement) => statement.compile(this));
    if (this.#sendAll !== undefined) return (await this.#sendAll(queries)) as QueryResult<R>[];
    const results: QueryResult<R>[] = [];
    for (const query of queries) results.push(await this.executeQuery<R>(query));
    return results;
  }

  /**
   * Returns a handle for the same connection that can also query the staging tables `S`. `plugin`
   * replaces the names of the staging tables by their real names.
   */
  withStaging<S>(plugin: KyselyPlugin): Database<T & S> {
    return new Database<T & S>({ ...this.#config, plugins: [plugin] }, this.dialect, this.#sendAll);
  }
}

/** Sends several queries in one message, and returns the result of each. */
type SendAll = (queries: readonly CompiledQuery[]) => Promise<QueryResult<unknown>[]>;

/** A database on a server that is reserved for one copy. */
export interface ReservedTarget {
  /** Name of the database in messages: its URL without user and password. */
  readonly name: string;
  /** Ends the reservation, so that another copy can use the database. */
  release(): Promise<void>;
}
