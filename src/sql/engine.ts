import {
  type Expression,
  Kysely,
  type KyselyConfig,
  type KyselyPlugin,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { TableReader } from './rows/row-ports.ts';
import type { StagingTable } from './staging-table.ts';
import type { Tables } from './tables.ts';

/** Options of a write transaction. */
export interface WriteOptions {
  /** Maximum time, in ms, until the transaction has begun and holds the locks that it needs. */
  readonly busyMs?: number;
  /**
   * Whether the transaction is one part of long work that is worthless until all parts are done.
   * The part need not be durable when it commits. The next durable commit makes the part durable
   * too.
   */
  readonly isPart?: boolean;
}

/**
 * The operations on a database that adapters use, whatever the engine is. Text columns compare and
 * sort by code point, which the schema of each engine ensures (decisions.md, Both variants).
 */
export interface Engine<T = Tables> {
  /**
   * Name of the database in messages: the absolute path of its file, or its URL without user and
   * password.
   */
  readonly name: string;
  /**
   * Handle for SELECTs that an index answers. Each SELECT sees the newest committed state. Integers
   * within +-(2^53-1) are returned as numbers and others as bigints, so every integer is exact.
   * `.stream()` uses constant memory for any chunk size. While a stream is open, the engine cannot
   * clean up after writers, so for a slow reader use pages instead.
   */
  readonly read: Database<T>;
  /**
   * Handle for SELECTs that may read whole tables, such as searches and counts. SELECTs of `read`
   * never wait for them. Clients are served in rotation. A client's SELECT (`core/shared/asker.ts`)
   * is refused with busy() when too many SELECTs of the client, or of all clients, are queued. It
   * is also refused when it waits or runs too long. Every such SELECT must include the condition
   * `dialect.endsInTime`, so that the engine can end it.
   */
  readonly readAtLength: Database<T>;
  /**
   * Runs `work` in one transaction. Resolves when the commit is durable. Rolls back and rethrows
   * the error when `work` throws. Other transactions may run concurrently, and may see and change
   * rows that this one does not lock (`dialect.lockRows`).
   *
   * `work` must not do anything slow and must not call write(). The engine may run `work` again
   * from the start after ending its transaction in favour of another one. This also happens if a
   * busy thread leaves the transaction open while it computes.
   *
   * Work that belongs to a job runs only while the job has its lease (`core/shared/job-lease.ts`).
   * Otherwise write() throws `LeaseLost`.
   *
   * Throws busy() if the transaction could not begin, or get its locks, within `busyMs` (default
   * 4500). Throws busyPerhapsDone() if it is unknown whether the transaction was committed. Throws
   * insufficientStorage() if the disk is full, and `UniqueViolation` for a row that already exists.
   */
  write<R>(work: Work<R, T>, options?: WriteOptions): Promise<R>;
  /**
   * Handle for single writing statements. Each statement is its own transaction, so no transaction
   * stays open while this thread computes. These statements do not check the lease of a job. Throws
   * the same errors as write().
   */
  readonly single: Database<T>;
  /**
   * Runs work outside of any transaction and without the write lock, to fill staging tables
   * (`dialect.createStaging`). The work changes only staging tables; the next write() sees them.
   * Other work may write and stage between its queries. Staging tables are lost when the disk or
   * the engine fails. Sorts of whole tables use little memory. Once `signal` is aborted, throws the
   * signal's reason before the next query.
   */
  stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R>;
  /**
   * Checks the free disk space before a part of long work. If the work fails later, its parts are
   * removed again, which needs space too. Throws insufficientStorage() if there is too little space
   * for the removal.
   */
  checkRoom(): Promise<void>;
  /**
   * Reserves disk space for small writes. On a full disk, users can then still log in and delete
   * files. Throws insufficientStorage() if there is too little space to reserve. Otherwise throws
   * the same errors as write().
   */
  keepRoom(): Promise<void>;
  /**
   * Returns a number that changes whenever any process commits. Takes microseconds and never waits.
   * Returns null if the engine cannot tell.
   */
  commits(): number | null;
  /** Returns the number of queued SELECTs of each handle. */
  waiting(): { readonly read: number; readonly readAtLength: number };
  /** Throws when the database cannot be read. */
  checkHealth(): Promise<void>;
  /**
   * Reads the whole database to find damage. Returns a description of the first damage, or null.
   * Rejects if the database cannot be queried.
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
   * directory entry is not yet. `beside` runs once the state to copy is fixed; all writes wait
   * until `beside` returns. A failed copy leaves no file behind. Throws refused() if the file
   * exists, a disk fails, or the database is not a file. Throws the signal's reason when it is
   * aborted.
   */
  copy(file: string, options?: CopyOptions): Promise<void>;
  /**
   * Runs `work` on a consistent snapshot of the tables, which later writes do not change. `beside`
   * runs once the snapshot is fixed. Until `beside` returns, the database's records of files do not
   * change.
   */
  snapshot<R>(work: (snapshot: Snapshot) => Promise<R>, beside?: () => Promise<void>): Promise<R>;
  /** Waits for pending queries, ends open streams, and closes all connections. */
  close(): Promise<void>;
}

/** The state of a database at one moment. */
export interface Snapshot {
  /** Version of the database's schema. */
  readonly version: number;
  readonly reader: TableReader;
}

/** A database opened only for reading. Nothing in it is created, upgraded or written. */
export interface ReadOnlyDatabase {
  readonly read: Database<Tables>;
  /**
   * Version of the database's schema; 0 if the database is empty, null if it belongs to another
   * program.
   */
  readonly version: number | null;
  /** The newest schema version that this program knows. */
  readonly knownVersion: number;
  /**
   * Reads the whole database to find damage. Throws an error whose message describes the damage.
   */
  checkWhole(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly beside?: (() => Promise<void>) | undefined;
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
   * inside stage() it is a transaction of its own.
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
   * replaces the names of these tables with their real names.
   */
  withStaging<S>(plugin: KyselyPlugin): Database<T & S> {
    return new Database<T & S>({ ...this.#config, plugins: [plugin] }, this.dialect);
  }
}

/**
 * The SQL that differs between the engines. It omits SQL that all engines understand. This includes
 * `ON CONFLICT DO NOTHING` and `DO UPDATE`, `IS DISTINCT FROM`, `row_number()`, `true`, `false` and
 * boolean columns.
 */
export interface Dialect {
  /**
   * Returns a subquery with one column `value` that contains these values. All values are sent in
   * one parameter. Use it after `IN` or to insert from. For numbers the type must be given, because
   * an empty list does not show its type.
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
  joined(
    text: Expression<unknown>,
    separator: string,
    orderBy: Expression<unknown>,
  ): RawBuilder<string | null>;
  /** Like `joined`, but for texts from a subquery that already returns them in this order. */
  joinedInOrder(
    text: Expression<unknown>,
    separator: string,
    order: Expression<unknown>,
  ): RawBuilder<string | null>;
  /**
   * Returns the condition that a text matches a LIKE pattern, without an escape character. The text
   * is the name in `release`, or the text in `release_text`. ASCII letters match
   * case-insensitively.
   */
  matches(where: 'name' | 'text', pattern: string): RawBuilder<SqlBool>;
  /**
   * The column of `release` that `matches` reads in addition to the name; null if it reads no
   * other.
   */
  readonly searchedColumn: string | null;
  /** Returns the text with its ASCII letters in lower case; other characters are unchanged. */
  lower(text: Expression<unknown>): RawBuilder<string>;
  /** Returns the condition that a text contains another text exactly. */
  contains(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns a query with one column `id`: the ids of the releases whose name or search text matches
   * a LIKE pattern. A trigram index makes the query fast for a pattern with three characters in a
   * row.
   */
  searchHits(where: 'name' | 'text', pattern: string): RawBuilder<unknown>;
  /**
   * Returns whether the text index contains this trigram. Other trigrams cannot narrow a search.
   */
  knowsTrigram(trigram: string): boolean;
  /**
   * Returns a condition on rows of `release` or `release_text` that the text index answers. The
   * condition holds for every row whose name or search text matches all of these LIKE patterns.
   * Unless `isExact` is set, it may hold for more rows. Only the given trigrams of the patterns are
   * looked up. Common trigrams are left out, because they take longer to look up and narrow the
   * result less.
   *
   * `ids` is a query with one distinct column `id` that selects the same rows. It is null unless
   * joining it with the releases is cheaper than the condition.
   */
  mayMatch(
    where: 'name' | 'text',
    asked: { patterns: readonly string[]; trigrams: readonly string[] },
  ): {
    readonly condition: RawBuilder<SqlBool>;
    readonly isExact: boolean;
    readonly ids: RawBuilder<unknown> | null;
  };
  /**
   * Returns a query with one distinct column `id`: the ids of releases whose name or search text
   * may contain these one or two characters. Some of the releases may not contain them. The query
   * is fast for a rare text. Returns null if no index helps.
   */
  mayHold(where: 'name' | 'text', text: string): RawBuilder<unknown> | null;
  /**
   * Cost of reading one candidate row, expressed as a number of index entries that take equally
   * long to read. Null if looking up more trigrams always pays off.
   */
  readonly entriesPerLook: number | null;
  /**
   * Cost of finding one release by the text index and sorting it. The cost is a number of releases,
   * checked in list order, that take equally long. Null if index look-ups are cheap compared with
   * sorting.
   */
  readonly looksPerHit: number | null;
  /**
   * Returns a query that makes the planner find all rows before it does anything else with them.
   * Null if the engine does not need this.
   */
  foundFirst(query: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * Returns a condition that is always true. The engine evaluates it to end a `readAtLength`
   * statement that has timed out. `id` is an integer column of the row.
   */
  endsInTime(id: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the next free id of a table, as a scalar subquery. It is higher than every id that the
   * table has assigned so far.
   */
  nextId(table: keyof Tables & string): RawBuilder<number>;
  /**
   * Returns the expressions that sort rows by a text that may be too long for an index entry. There
   * may be several, separated by commas. They can also be used on both sides of a row comparison.
   */
  textOrder(text: Expression<unknown> | string, direction?: 'desc'): RawBuilder<unknown>;
  /**
   * Returns the expression that `textOrder` sorts by before it sorts by the text itself. Null if
   * there is no such expression.
   */
  textStart(text: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * Whether an index on texts can return its columns without reading the rows of the table. If it
   * can, it is faster to find the ids of a page by the index first, and then read the other
   * columns.
   */
  readonly readsIndexAlone: boolean;
  /**
   * Whether a statement must be planned again on each execution. A plan made for an unknown LIMIT
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
   * an index entry. Use it after `ON CONFLICT` instead of the column.
   */
  uniqueKey(column: string): string;
  /**
   * Returns the condition that two texts are equal. The first text must be a column that a unique
   * key stores as `uniqueKey`.
   */
  equalsKey(text: Expression<unknown>, other: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the statements that create these staging tables if they do not exist. Only this process
   * sees the tables. They are dropped at the latest when the process ends.
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
   * An inner join that makes the planner read the table on its left first. It is put between two
   * tables and followed by `ON`.
   */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * A clause for the end of a SELECT inside write(). It locks the returned rows, so that no other
   * transaction changes them until this one ends. Empty if the engine runs only one writing
   * transaction at a time.
   */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * Like `lockRows`, but several transactions may lock the same rows at once. The rows can be
   * changed only after all of these transactions have ended.
   */
  readonly shareRows: RawBuilder<unknown>;
}

/** Thrown when a row is rejected because its primary key or unique value already exists. */
export class UniqueViolation extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UniqueViolation';
  }
}

/** A database on a server that is reserved for one copy. */
export interface HeldTarget {
  /** Name of the database in messages: its URL without user and password. */
  readonly name: string;
  /** Ends the reservation, so that another copy can use the database. */
  release(): Promise<void>;
}
