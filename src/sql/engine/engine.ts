import {
  type Expression,
  Kysely,
  type KyselyConfig,
  type KyselyPlugin,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { IdMarks } from '../../core/shared/id-marks.ts';
import type { TableReader } from '../rows/row-ports.ts';
import type { Tables } from '../tables.ts';
import type { StagingTable } from './staging-table.ts';
import type { TransactionStates } from './transaction-states.ts';
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

  constructor(config: KyselyConfig, dialect: Dialect) {
    super(config);
    this.dialect = dialect;
    this.#config = config;
  }

  /**
   * Returns a handle for the same connection that can also query the staging tables `S`. `plugin`
   * replaces the names of the staging tables by their real names.
   */
  withStaging<S>(plugin: KyselyPlugin): Database<T & S> {
    return new Database<T & S>({ ...this.#config, plugins: [plugin] }, this.dialect);
  }
}

/**
 * The SQL that differs between the engines. SQL that all engines understand is not part of the
 * dialect. Such SQL includes `ON CONFLICT DO NOTHING` and `DO UPDATE`, `IS DISTINCT FROM`,
 * `row_number()`, `true`, `false` and boolean columns.
 */
export interface Dialect {
  /**
   * Returns a subquery with one column `value` that contains these values. All values are sent in
   * one parameter. Use the subquery after `IN` or as the source of an INSERT. A list of numbers
   * needs the argument `type`, because an empty list does not show the type of its values.
   */
  list(values: readonly string[]): RawBuilder<unknown>;
  list(values: readonly number[], type: 'integer'): RawBuilder<unknown>;
  /**
   * Returns a JSON object from texts, numbers, nulls and JSON values. The result can be used as
   * text or inside another JSON value.
   */
  jsonObject(fields: Readonly<Record<string, Expression<unknown>>>): RawBuilder<string>;
  /** Returns a text encoded as a JSON string. */
  jsonText(text: Expression<unknown>): RawBuilder<string>;
  /** Returns all rows of a group as a JSON array (`[]` for no rows), ordered by `orderBy`. */
  jsonArray(item: Expression<unknown>, orderBy?: Expression<unknown>): RawBuilder<string>;
  /**
   * Returns the texts of a group joined into one text, in the order of `orderBy`; null for an empty
   * group.
   */
  joinTexts(
    text: Expression<unknown>,
    separator: string,
    orderBy: Expression<unknown>,
  ): RawBuilder<string | null>;
  /** Like `joinTexts`, for texts from a subquery that already returns them in this order. */
  joinOrderedTexts(
    text: Expression<unknown>,
    separator: string,
    order: Expression<unknown>,
  ): RawBuilder<string | null>;
  /**
   * Returns the condition that a text matches a LIKE pattern. The pattern has no escape character.
   * The text is the name in `release`, or the text in `release_text`. ASCII letters match
   * case-insensitively.
   */
  matches(where: 'name' | 'text', pattern: string): RawBuilder<SqlBool>;
  /** Column of `release` that `matches` reads in addition to the name; null for none. */
  readonly searchedColumn: string | null;
  /** Returns the text with its ASCII letters in lower case; other characters are unchanged. */
  lower(text: Expression<unknown>): RawBuilder<string>;
  /** Returns the 1-based position of the first `part` in a text; 0 if the text lacks `part`. */
  position(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<number>;
  /** Returns the condition that a text contains another text exactly. */
  contains(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns a query with one column `id`: the ids of the releases whose name or search text matches
   * a LIKE pattern. If the pattern contains three consecutive characters without a wildcard, a
   * trigram index makes the query fast.
   */
  searchHits(where: 'name' | 'text', pattern: string): RawBuilder<unknown>;
  /**
   * Returns true if the text index contains this trigram. Other trigrams cannot narrow a search.
   */
  isIndexedTrigram(trigram: string): boolean;
  /**
   * Returns a condition on rows of `release` or `release_text` that the text index answers. The
   * condition is true for every row whose name or search text matches all of these LIKE patterns.
   * If `isExact` is false, the condition may be true for other rows too. The index looks up only
   * the passed `trigrams` of the patterns. Common trigrams should not be passed, because they are
   * slow to look up and narrow the result less.
   *
   * `ids` is a query with one distinct column `id` that selects the same rows. `ids` is null unless
   * a join of `ids` with the releases is cheaper than the condition.
   */
  candidateCondition(
    where: 'name' | 'text',
    searched: { patterns: readonly string[]; trigrams: readonly string[] },
  ): {
    readonly condition: RawBuilder<SqlBool>;
    readonly isExact: boolean;
    readonly ids: RawBuilder<unknown> | null;
  };
  /**
   * Returns a query with one distinct column `id`: the ids of releases whose name or search text
   * may contain these one or two characters. Some of the releases may not contain the characters.
   * The query is fast for a rare text. Returns null if no index helps.
   */
  shortTextCandidates(where: 'name' | 'text', text: string): RawBuilder<unknown> | null;
  /**
   * Cost of reading one candidate row, expressed as a number of index entries that take equally
   * long to read. Null if looking up more trigrams always pays off.
   */
  readonly entriesPerRowRead: number | null;
  /**
   * Cost of finding one release by the text index and sorting it. The unit of the cost is the time
   * to check one release in list order. Null if index look-ups are cheap compared with sorting.
   */
  readonly checksPerHit: number | null;
  /**
   * Returns a query with the same rows that makes the planner find all rows first, before any other
   * step. Null if the engine does not need such a query.
   */
  materialized(query: Expression<unknown>): RawBuilder<unknown> | null;
  /** Returns the condition that an id is in a set of ids. */
  isMarked(id: Expression<number>, marks: IdMarks): RawBuilder<SqlBool>;
  /**
   * Returns a condition that is always true. The engine can end a timed-out `longRead`
   * statement when the statement evaluates this condition. `id` is an integer column of the row.
   */
  interruptionPoint(id: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the next free id of a table, as a scalar subquery. The id is higher than every id that
   * the table has assigned so far.
   */
  nextId(table: keyof Tables & string): RawBuilder<number>;
  /**
   * Returns the expressions that sort rows by a text that may be too long for an index entry. If
   * there are several expressions, they are separated by commas. The expressions can also be used
   * on both sides of a row comparison.
   */
  textOrder(text: Expression<unknown> | string, direction?: 'desc'): RawBuilder<unknown>;
  /**
   * Returns the expression that `textOrder` sorts by before it sorts by the text itself. Returns
   * null if there is no such expression.
   */
  textStart(text: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * True if an index on texts can return its columns without reading the rows of the table. A page
   * is then read faster in two steps: first the ids by the index, then the other columns.
   */
  readonly readsIndexAlone: boolean;
  /**
   * True if a statement must be planned again on each execution. A plan made for an unknown LIMIT
   * would read too many rows.
   */
  readonly plansByLimit: boolean;
  /**
   * Returns the condition that a text equals one of these values. The text may be too long for an
   * index entry.
   */
  isOneOf(text: Expression<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * Returns the expression that unique keys store for a text column whose texts may be too long for
   * an index entry. Use the expression after `ON CONFLICT` instead of the column.
   */
  uniqueKey(column: string): string;
  /**
   * Returns the condition that two texts are equal. The first text must be a column that a unique
   * key stores as `uniqueKey`.
   */
  equalsKey(text: Expression<unknown>, other: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the statements that create these staging tables if they do not exist. Only this process
   * sees the tables. The tables are dropped at the latest when the process ends.
   */
  createStaging(tables: Readonly<Record<string, StagingTable>>): RawBuilder<unknown>[];
  /** Returns the statements that remove all rows of staging tables and restart their numbering. */
  emptyStaging(names: readonly string[]): RawBuilder<unknown>[];
  /**
   * Milliseconds since 1970 by the clock of the database, which is the same for all processes that
   * share the database.
   */
  readonly now: RawBuilder<number>;
  /**
   * An inner join whose left table should be read first. An engine whose planner follows the
   * written order reads the left table first; other engines may choose another order. Write the
   * join between two tables, followed by `ON`.
   */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * A clause for the end of a SELECT inside write(). The clause locks the returned rows, so that no
   * other transaction changes them until this transaction ends. Empty if the engine runs only one
   * writing transaction at a time.
   */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * Like `lockRows`, but several transactions may lock the same rows at once. The rows can be
   * changed only after all of these transactions have ended.
   */
  readonly shareRows: RawBuilder<unknown>;
  /**
   * Expressions that show later whether a transaction was committed, if its connection was lost
   * during the commit. Null if the outcome of every commit is known.
   */
  readonly transactions: TransactionStates | null;
}

/** A database on a server that is reserved for one copy. */
export interface ReservedTarget {
  /** Name of the database in messages: its URL without user and password. */
  readonly name: string;
  /** Ends the reservation, so that another copy can use the database. */
  release(): Promise<void>;
}
