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

/** How a transaction is written. */
export interface WriteOptions {
  /** How long it may wait until it can begin, in ms. */
  readonly busyMs?: number;
  /**
   * For a part of long work that counts for nothing without its end: it need not be safe on disk before a later commit that
   * has to be, which makes both safe.
   */
  readonly isPart?: boolean;
}

/**
 * What adapters may ask of a database, whatever its engine. Text columns compare and sort by code point (decisions.md,
 * Both variants); the schema of each engine sees to that.
 */
export interface Engine<T = Tables> {
  /** What the database is called in messages: the absolute path of its file, or its address without user and password. */
  readonly name: string;
  /**
   * For SELECTs that an index answers: each sees the newest committed state. Integers within +-(2^53-1) come as numbers and
   * others as bigints, so every one is exact. `.stream()` needs flat memory whatever its chunk size, but an open one keeps
   * the engine from cleaning up behind writers: page instead of streaming to a slow reader.
   */
  readonly read: Database<T>;
  /**
   * For SELECTs that may look at whole tables, such as searches and counts: those of `read` never wait for them. Done for
   * a client (`core/shared/asker.ts`), they are refused with busy() when too many of the client's, or of all, wait, when
   * their turn does not come in time, and when they take too long, for which their conditions hold `dialect.endsInTime`.
   * Clients get their turns one after the other.
   */
  readonly readAtLength: Database<T>;
  /**
   * One transaction; others may run beside it, and see and change what it does not lock (`dialect.lockRows`). Resolves when
   * the commit is safe on disk; rolls back and rethrows when `work` throws. `work` does nothing slow, never calls write(),
   * and may be run again from its beginning when the engine ended its transaction for another one's sake: one that a thread
   * which computes leaves open is ended so, too. Where it belongs to a job it is done only while the job has its lease
   * (`core/shared/job-lease.ts`); else it throws `LeaseLost`.
   * Throws busy() when the transaction could not begin, or not lock what it needs, within `busyMs` (4500) of the call;
   * busyPerhapsDone() when nobody knows whether it was committed; insufficientStorage() when the disk is full, `UniqueViolation` for a row that is
   * there already.
   */
  write<R>(work: Work<R, T>, options?: WriteOptions): Promise<R>;
  /**
   * For a statement that writes and is a transaction of its own: however long this thread computes then, nothing stays open.
   * It belongs to no job. Throws what write() throws.
   */
  readonly single: Database<T>;
  /**
   * Work without a transaction and without the write lock, to fill staging tables from what is given and from what the
   * database holds; the next write() sees them. Others write, and stage, between its queries. Changes no table but
   * staging ones (`dialect.createStaging`), which are lost when the disk or the engine fails. Sorts whole tables in little
   * memory. Throws the signal's reason before the next query once `signal` is aborted.
   */
  stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R>;
  /**
   * Before a part of long work that is removed again if it fails, because also removing takes space: throws
   * insufficientStorage() when there is too little for that.
   */
  checkRoom(): Promise<void>;
  /**
   * Takes a part of the disk, from which small writes are served once it is full: people log in and remove what fills it.
   * Throws insufficientStorage() when there is too little left for that, and what write() throws.
   */
  keepRoom(): Promise<void>;
  /**
   * Another number than before once any process committed something, told in microseconds without waiting; null when it
   * cannot be told.
   */
  commits(): number | null;
  /** How many of both ways of reading wait for a turn. */
  waiting(): { readonly read: number; readonly readAtLength: number };
  /** Throws when the database cannot be read. */
  checkHealth(): Promise<void>;
  /** Reads all of the database: what is damaged first, null for nothing. Rejects when it cannot be asked. */
  findFault(): Promise<string | null>;
  /** Writes something that changes nothing, safely; throws when that fails. */
  checkWrites(): Promise<void>;
  /**
   * Writes a consistent copy to a new file, for its owner only, while others read and write; it is safe on disk when it
   * resolves, though not yet its name. `beside` runs when its state is fixed; until it returns nobody writes. Nothing is
   * left of a copy that fails. Throws refused() when there is such a file, a disk fails, or the database is not a file, and
   * the signal's reason.
   */
  copy(file: string, options?: CopyOptions): Promise<void>;
  /**
   * Has `work` read tables as they are at one moment, however much others write meanwhile. `beside` runs when their state is
   * fixed; until it returns nobody changes what the database tells of files.
   */
  snapshot<R>(work: (snapshot: Snapshot) => Promise<R>, beside?: () => Promise<void>): Promise<R>;
  /** Waits for what was asked, ends open streams and closes all connections. */
  close(): Promise<void>;
}

/** A database as it was at one moment. */
export interface Snapshot {
  /** Of its schema. */
  readonly version: number;
  readonly reader: TableReader;
}

/** A database that is only looked at: nothing is created, upgraded or written. */
export interface ReadOnlyDatabase {
  readonly read: Database<Tables>;
  /** Of its schema; 0 when it is empty, null when it is another program's. */
  readonly version: number | null;
  /** The newest version that this program knows. */
  readonly knownVersion: number;
  /** Reads all of it; throws with a line that says what is damaged. */
  checkWhole(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly beside?: (() => Promise<void>) | undefined;
}

/** Work on the connection that writes; both handles end with it. */
export type Work<R, T = Tables> = (db: Database<T>, bulk: Bulk) => Promise<R>;

/** Runs one statement for many rows of parameters without a message per row. */
export interface Bulk {
  /**
   * Returns how many rows were changed. Inside write() it is part of the transaction; inside stage() it is all or
   * nothing by itself. The statement has a `?` for each parameter and returns no rows.
   */
  run(statement: string, rows: readonly (readonly unknown[])[]): Promise<number>;
}

/** A handle for queries, which also tells how its engine says what engines say differently. */
export class Database<T = Tables> extends Kysely<T> {
  readonly dialect: Dialect;
  readonly #config: KyselyConfig;

  constructor(config: KyselyConfig, dialect: Dialect) {
    super(config);
    this.dialect = dialect;
    this.#config = config;
  }

  /** The same connection with the staging tables `S` beside the others; `plugin` knows what they are called. */
  withStaging<S>(plugin: KyselyPlugin): Database<T & S> {
    return new Database<T & S>({ ...this.#config, plugins: [plugin] }, this.dialect);
  }
}

/**
 * The answers in which engines differ. What they share needs none: `ON CONFLICT DO NOTHING` and `DO UPDATE`,
 * `IS DISTINCT FROM`, `row_number()`, `true` and `false`, boolean columns as booleans.
 */
export interface Dialect {
  /**
   * Values of one type as a query of one column `value`, in parentheses and in one parameter: for `IN`, and to insert
   * from. Of numbers the type is told, because an empty list does not show it.
   */
  list(values: readonly string[]): RawBuilder<unknown>;
  list(values: readonly number[], type: 'integer'): RawBuilder<unknown>;
  /** A JSON object of texts, numbers, nulls and JSON, as text or as a part of another JSON value. */
  jsonObject(fields: Readonly<Record<string, Expression<unknown>>>): RawBuilder<string>;
  /** A text as a JSON string. */
  jsonText(text: Expression<unknown>): RawBuilder<string>;
  /** All rows of a group as a JSON array (`[]` of none), in the order of an expression. */
  jsonArray(item: Expression<unknown>, orderBy?: Expression<unknown>): RawBuilder<string>;
  /** The texts of a group, joined in the order of an expression; null of none. */
  joined(
    text: Expression<unknown>,
    separator: string,
    orderBy: Expression<unknown>,
  ): RawBuilder<string | null>;
  /** The same of texts that come from a subquery in this order already. */
  joinedInOrder(
    text: Expression<unknown>,
    separator: string,
    order: Expression<unknown>,
  ): RawBuilder<string | null>;
  /**
   * SQL's LIKE without an escape character, of the name of a row of `release` or the text of one of `release_text`; ASCII letters
   * match without regard to case.
   */
  matches(where: 'name' | 'text', pattern: string): RawBuilder<SqlBool>;
  /** A column of releases that this reads besides the name; null where there is none. */
  readonly searchedColumn: string | null;
  /** A text with its ASCII letters in lower case; all others stay. */
  lower(text: Expression<unknown>): RawBuilder<string>;
  /** Whether a text holds another one, to the letter. */
  contains(text: Expression<unknown>, part: string | Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * The ids of releases whose name, or whose text for search, matches a LIKE pattern, as a query of one column `id`.
   * Fast for a pattern with three characters in a row, by an index of trigrams.
   */
  searchHits(where: 'name' | 'text', pattern: string): RawBuilder<unknown>;
  /** Whether the index of texts knows these three characters: those that it does not know are no help. */
  knowsTrigram(trigram: string): boolean;
  /**
   * A condition on rows of `release`, or of `release_text`, that the index of texts answers: it holds for all whose name, or whose
   * text for search, matches each of these LIKE patterns, and perhaps for more, unless it is exact. The index is asked for these trigrams of the
   * patterns alone, because of common ones it gives the fewer the longer it takes. `ids`: of the same rows, as a query of one
   * column `id`, each once, where joining them with the releases takes less than the condition; else null.
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
   * The ids of the releases whose name, or whose text for search, may hold these one or two characters, and perhaps of some
   * others, each once, as a query of one column `id`: in time for a text that few hold. Null where no index helps.
   */
  mayHold(where: 'name' | 'text', text: string): RawBuilder<unknown> | null;
  /**
   * To look at a release that the index gives takes as long as reading so many entries of the index; null where the index is
   * best asked for several trigrams, whatever they give.
   */
  readonly entriesPerLook: number | null;
  /**
   * To find one release by the index of texts and to sort it takes as long as looking at so many in the order of the list; null
   * where the index takes little beside sorting.
   */
  readonly looksPerHit: number | null;
  /**
   * The rows of a query that are found before anything else is done with them, whatever the engine thinks of it; null where
   * it does what it is told.
   */
  foundFirst(query: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * A condition that holds for every row, `id` being an integer of the row: by it the engine ends a statement of
   * `readAtLength` whose time is over.
   */
  endsInTime(id: Expression<unknown>): RawBuilder<SqlBool>;
  /** Above all ids that the table has given so far: the next one to give by hand. A scalar subquery. */
  nextId(table: keyof Tables & string): RawBuilder<number>;
  /**
   * What rows are ordered by to be in the order of a text that may be longer than an entry of an index: one or more
   * expressions with commas between them, also for both sides of a comparison of rows.
   */
  textOrder(text: Expression<unknown> | string, direction?: 'desc'): RawBuilder<unknown>;
  /** What `textOrder` asks for before the text itself; null for nothing. */
  textStart(text: Expression<unknown>): RawBuilder<unknown> | null;
  /**
   * Whether an index of texts gives what it holds without the rows that it leads to: then it pays to find the ids of a page by
   * it before any other column is read.
   */
  readonly readsIndexAlone: boolean;
  /** Whether a statement is planned anew each time since nobody knows how many rows its LIMIT lets through. */
  readonly plansByLimit: boolean;
  /** Whether such a text is one of these. */
  isOneOf(text: Expression<unknown>, values: readonly string[]): RawBuilder<SqlBool>;
  /**
   * What the unique keys of tables hold of a text that may be longer than an entry of an index: after `ON CONFLICT`, instead
   * of the column.
   */
  uniqueKey(column: string): string;
  /** Whether two texts are equal, where the unique key of a table holds the first one as `uniqueKey` says. */
  equalsKey(text: Expression<unknown>, other: Expression<unknown>): RawBuilder<SqlBool>;
  /**
   * The statements that create staging tables by their names, where they are not there yet: only this process sees them, and
   * they go with it at the latest.
   */
  createStaging(tables: Readonly<Record<string, StagingTable>>): RawBuilder<unknown>[];
  /** The statements that leave staging tables as if they were new. */
  emptyStaging(names: readonly string[]): RawBuilder<unknown>[];
  /** Milliseconds since 1970 by the clock of the database, which is one for all processes that share it. */
  readonly now: RawBuilder<number>;
  /** Between two tables: an inner join that reads the left one first, whatever the engine thinks of it; `ON` follows. */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * At the end of a SELECT inside write(): nobody else changes the rows that it returned until the transaction ends.
   * Empty where transactions that write run one after the other.
   */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * The same, but several transactions may hold the rows at once; they change once all of them have ended.
   */
  readonly shareRows: RawBuilder<unknown>;
}

/** A row was refused because one with the same unique value or primary key is there. */
export class UniqueViolation extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UniqueViolation';
  }
}

/** A database of a server that is kept for one copy. */
export interface HeldTarget {
  /** What the database is called in messages: its address without user and password. */
  readonly name: string;
  /** Lets the next copy have it. */
  release(): Promise<void>;
}
