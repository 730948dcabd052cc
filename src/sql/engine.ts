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
  /** Maximum time to wait until the transaction has begun and locked what it needs, in ms. */
  readonly busyMs?: number;
  /**
   * Marks one part of long work that is worthless until the work is complete. The part need not be
   * durable when it commits: a later durable commit makes both safe.
   */
  readonly isPart?: boolean;
}

/**
 * The operations that adapters may use on a database, whatever its engine. Text columns compare and
 * sort by code point (decisions.md, Both variants); the schema of each engine ensures that.
 */
export interface Engine<T = Tables> {
  /**
   * Name of the database in messages: the absolute path of its file, or its URL without user and
   * password.
   */
  readonly name: string;
  /**
   * Handle for SELECTs that an index answers; each sees the newest committed state. Integers within
   * +-(2^53-1) are returned as numbers and others as bigints, so every integer is exact.
   * `.stream()` uses constant memory whatever its chunk size. An open stream keeps the engine from
   * cleaning up after writers, so page instead of streaming to a slow reader.
   */
  readonly read: Database<T>;
  /**
   * Handle for SELECTs that may read whole tables, such as searches and counts; SELECTs of `read`
   * never wait for them. Clients are served in rotation. A SELECT for a client
   * (`core/shared/asker.ts`) is refused with busy() when too many of the client's SELECTs, or of
   * all, are queued. It is also refused when it waits or runs too long. Its conditions include
   * `dialect.endsInTime`, which ends one that runs too long.
   */
  readonly readAtLength: Database<T>;
  /**
   * Runs one transaction. Others may run concurrently, and may see and change rows that it does not
   * lock (`dialect.lockRows`). Resolves when the commit is safe on disk; rolls back and rethrows
   * when `work` throws.
   *
   * `work` does nothing slow and never calls write(). It may be run again from the start when the
   * engine ended its transaction in favour of another one. This also happens to a transaction that
   * a busy thread leaves open while it computes. Work that belongs to a job runs only while the job
   * has its lease (`core/shared/job-lease.ts`); otherwise write() throws `LeaseLost`.
   *
   * Throws busy() when the transaction could not begin, or not lock what it needs, within `busyMs`
   * (4500) of the call. Throws busyPerhapsDone() when it is unknown whether it was committed,
   * insufficientStorage() when the disk is full, and `UniqueViolation` for a row that already
   * exists.
   */
  write<R>(work: Work<R, T>, options?: WriteOptions): Promise<R>;
  /**
   * Handle for a single writing statement that is its own transaction, so nothing stays open while
   * this thread computes. It belongs to no job. Throws the same errors as write().
   */
  readonly single: Database<T>;
  /**
   * Runs work without a transaction and without the write lock, to fill staging tables from given
   * data and the database. The next write() sees them. Other work may write and stage between its
   * queries. It changes only staging tables (`dialect.createStaging`), which are lost when the disk
   * or the engine fails. Sorts whole tables in little memory. Once `signal` is aborted, throws its
   * reason before the next query.
   */
  stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R>;
  /**
   * Checks the free space before a part of long work that is removed again if it fails, because
   * removing takes space too. Throws insufficientStorage() when there is too little for that.
   */
  checkRoom(): Promise<void>;
  /**
   * Reserves disk space for small writes on a full disk, so that users can still log in and delete
   * files to make room. Throws insufficientStorage() when there is too little space left for that,
   * and the same errors as write().
   */
  keepRoom(): Promise<void>;
  /**
   * Returns a number that changes whenever any process commits something; takes microseconds and
   * never waits. Returns null when the engine cannot tell.
   */
  commits(): number | null;
  /** Returns how many SELECTs of each kind are queued. */
  waiting(): { readonly read: number; readonly readAtLength: number };
  /** Throws when the database cannot be read. */
  checkHealth(): Promise<void>;
  /**
   * Reads the whole database. Returns the first damage found, or null. Rejects when the database
   * cannot be queried.
   */
  findFault(): Promise<string | null>;
  /** Makes a durable write that changes nothing; throws when that fails. */
  checkWrites(): Promise<void>;
  /**
   * Writes a consistent copy to a new file that only its owner can read, while others read and
   * write. When it resolves, the copy's data is safe on disk, but its directory entry is not yet.
   * `beside` runs once the state to copy is fixed; all writes wait until it returns. A failed copy
   * leaves nothing behind. Throws refused() when the file exists, a disk fails, or the database is
   * not a file; and the signal's reason.
   */
  copy(file: string, options?: CopyOptions): Promise<void>;
  /**
   * Runs `work` on a consistent snapshot of the tables, whatever is written meanwhile. `beside`
   * runs once the snapshot is fixed; until it returns, the database's records of files do not
   * change.
   */
  snapshot<R>(work: (snapshot: Snapshot) => Promise<R>, beside?: () => Promise<void>): Promise<R>;
  /** Waits for pending queries, ends open streams and closes all connections. */
  close(): Promise<void>;
}

/** A database as it was at one moment. */
export interface Snapshot {
  /** Version of its schema. */
  readonly version: number;
  readonly reader: TableReader;
}

/** A database opened for reading only: nothing is created, upgraded or written. */
export interface ReadOnlyDatabase {
  readonly read: Database<Tables>;
  /**
   * Version of its schema; 0 when the database is empty, null when it belongs to another program.
   */
  readonly version: number | null;
  /** The newest schema version that this program knows. */
  readonly knownVersion: number;
  /** Reads the whole database; throws an error whose message says what is damaged. */
  checkWhole(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly beside?: (() => Promise<void>) | undefined;
}

/** Work on the writing connection; both handles are valid only until it ends. */
export type Work<R, T = Tables> = (db: Database<T>, bulk: Bulk) => Promise<R>;

/** Runs one statement for many rows of parameters, without one message per row. */
export interface Bulk {
  /**
   * Returns how many rows were changed. Inside write() it is part of the transaction; inside
   * stage() it is atomic on its own. The statement has a `?` for each parameter and returns no
   * rows.
   */
  run(statement: string, rows: readonly (readonly unknown[])[]): Promise<number>;
}

/** A query handle that also carries its engine's SQL dialect. */
export class Database<T = Tables> extends Kysely<T> {
  readonly dialect: Dialect;
  readonly #config: KyselyConfig;

  constructor(config: KyselyConfig, dialect: Dialect) {
    super(config);
    this.dialect = dialect;
    this.#config = config;
  }

  /**
   * Returns a handle for the same connection that also has the staging tables `S`; `plugin` knows
   * their real names.
   */
  withStaging<S>(plugin: KyselyPlugin): Database<T & S> {
    return new Database<T & S>({ ...this.#config, plugins: [plugin] }, this.dialect);
  }
}

/**
 * SQL that differs between the engines. Common SQL needs no entry here: `ON CONFLICT DO NOTHING`
 * and `DO UPDATE`, `IS DISTINCT FROM`, `row_number()`, `true` and `false`, boolean columns as
 * booleans.
 */
export interface Dialect {
  /**
   * Returns values of one type as a query of one column `value`, in parentheses and in one
   * parameter: for `IN`, and to insert from. For numbers the type is given, because an empty list
   * does not show it.
   */
  list(values: readonly string[]): RawBuilder<unknown>;
  list(values: readonly number[], type: 'integer'): RawBuilder<unknown>;
  /**
   * Returns a JSON object of texts, numbers, nulls and JSON, usable as text or inside another JSON
   * value.
   */
  jsonObject(fields: Readonly<Record<string, Expression<unknown>>>): RawBuilder<string>;
  /** Returns a text as a JSON string. */
  jsonText(text: Expression<unknown>): RawBuilder<string>;
  /** Returns all rows of a group as a JSON array (`[]` for none), ordered by an expression. */
  jsonArray(item: Expression<unknown>, orderBy?: Expression<unknown>): RawBuilder<string>;
  /** Returns the texts of a group, joined in the order of an expression; null for none. */
  joined(
    text: Expression<unknown>,
    separator: string,
    orderBy: Expression<unknown>,
  ): RawBuilder<string | null>;
  /** Like `joined`, for texts from a subquery that already returns them in this order. */
  joinedInOrder(
    text: Expression<unknown>,
    separator: string,
    order: Expression<unknown>,
  ): RawBuilder<string | null>;
  /**
   * Returns SQL's LIKE without an escape character, for the name in `release` or the text in
   * `release_text`. ASCII letters match case-insensitively.
   */
  matches(where: 'name' | 'text', pattern: string): RawBuilder<SqlBool>;
  /** Column of `release` that `matches` reads in addition to the name; null if there is none. */
  readonly searchedColumn: string | null;
  /** Lowercases the ASCII letters of a text; other characters are unchanged. */
  lower(text: Expression<unknown>): RawBuilder<string>;
  /** Returns whether a text contains another one exactly. */
  contains(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the ids of releases whose name or search text matches a LIKE pattern, as a query of one
   * column `id`. A trigram index makes it fast for a pattern with three characters in a row.
   */
  searchHits(where: 'name' | 'text', pattern: string): RawBuilder<unknown>;
  /**
   * Returns whether the text index contains these three characters; others do not narrow a search.
   */
  knowsTrigram(trigram: string): boolean;
  /**
   * Returns a condition on rows of `release` or `release_text` that the text index answers. It
   * holds for all rows whose name or search text matches each of these LIKE patterns. Unless
   * `isExact`, it may hold for more rows. The index is queried only for these trigrams of the
   * patterns, because common ones take longer and narrow the result less. `ids` selects the same
   * rows as a query of one distinct column `id`. It is null unless joining it with the releases is
   * cheaper than the condition.
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
   * Returns the ids of releases whose name or search text may contain these one or two characters,
   * and possibly of some others. The result is a query of one distinct column `id`; it is fast for
   * a text that is rare. Null if no index helps.
   */
  mayHold(where: 'name' | 'text', text: string): RawBuilder<unknown> | null;
  /**
   * Cost of fetching one candidate row, in index entries read; null if looking up more trigrams
   * always pays off.
   */
  readonly entriesPerLook: number | null;
  /**
   * Cost of finding one release by the text index and sorting it, in releases checked in list
   * order. Null if the index is cheap compared with sorting.
   */
  readonly looksPerHit: number | null;
  /**
   * Returns a query that forces its rows to be found before anything else is done with them,
   * whatever the planner prefers. Null if the engine needs no forcing.
   */
  foundFirst(query: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * Returns a condition that is always true, `id` being an integer of the row. The engine uses it
   * to end a `readAtLength` statement that has timed out.
   */
  endsInTime(id: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the next id to assign explicitly, as a scalar subquery: above all ids that the table
   * has assigned so far.
   */
  nextId(table: keyof Tables & string): RawBuilder<number>;
  /**
   * Returns the expressions that sort rows by a text that may be longer than an index entry. They
   * are one or more, separated by commas, and also fit both sides of a row comparison.
   */
  textOrder(text: Expression<unknown> | string, direction?: 'desc'): RawBuilder<unknown>;
  /**
   * Returns the expression that `textOrder` sorts by before the text itself; null if there is none.
   */
  textStart(text: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * Whether a text index returns its contents without reading the rows it refers to. Then it pays
   * to find the ids of a page by the index before any other column is read.
   */
  readonly readsIndexAlone: boolean;
  /**
   * Whether a statement is planned again on each execution, because a plan for an unknown LIMIT is
   * expected to read too many rows.
   */
  readonly plansByLimit: boolean;
  /** Returns whether a text that may be longer than an index entry is one of these values. */
  isOneOf(text: Expression<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * Returns what unique keys store for a text column that may be longer than an index entry; used
   * after `ON CONFLICT` instead of the column.
   */
  uniqueKey(column: string): string;
  /**
   * Returns whether two texts are equal, if a unique key of a table stores the first one as
   * `uniqueKey` says.
   */
  equalsKey(text: Expression<unknown>, other: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns the statements that create the named staging tables if they do not exist. Only this
   * process sees these tables, and they are dropped with it at the latest.
   */
  createStaging(tables: Readonly<Record<string, StagingTable>>): RawBuilder<unknown>[];
  /** Returns the statements that reset staging tables to their initial state. */
  emptyStaging(names: readonly string[]): RawBuilder<unknown>[];
  /**
   * Milliseconds since 1970 by the database's clock, which all processes that share the database
   * have in common.
   */
  readonly now: RawBuilder<number>;
  /**
   * An inner join, put between two tables, that reads the left one first whatever the planner
   * prefers; `ON` follows.
   */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * Ends a SELECT inside write() and locks the returned rows: no other transaction changes them
   * until this one ends. Empty if writing transactions run one at a time.
   */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * Like `lockRows`, but several transactions may hold the rows at once; the rows can change once
   * all of them have ended.
   */
  readonly shareRows: RawBuilder<unknown>;
}

/** Thrown when a row is refused because its unique value or primary key already exists. */
export class UniqueViolation extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UniqueViolation';
  }
}

/** A server database that is reserved for one copy. */
export interface HeldTarget {
  /** Name of the database in messages: its URL without user and password. */
  readonly name: string;
  /** Ends the reservation, so that another copy can use the database. */
  release(): Promise<void>;
}
