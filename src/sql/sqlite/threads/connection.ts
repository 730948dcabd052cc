import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { type Columns, columnsOf } from '../columns.ts';
import { addTermTables } from '../searched-columns.ts';
import type { Interruption } from './interruption.ts';
import type { Part, QueryReply, RawRow, Role } from './protocol.ts';
import { toBound, toPlain } from './values.ts';
import { WaitMark } from './wait-mark.ts';

const MAX_CACHED_STATEMENTS = 200;
const OPEN_WAIT_MS = 10_000;
const KEEP_ROOM_WAIT_MS = 500;
const BEGIN_RETRY_MS = 2;
/**
 * Pause, in ms, before a part of long work, for other processes. The pause is longer than
 * `BEGIN_RETRY_MS`, so that another process can take the lock.
 */
const GIVE_WAY_MS = 5;
/**
 * Maximum number of parts of long work without a pause for other processes. After this number,
 * there is a pause even if no process has set the wait mark.
 */
const MAX_PARTS_WITHOUT_PAUSE = 10;
const STATEMENT_WAIT_MS: Record<Role, number> = { writer: 4500, reader: 1000 };
const CACHE_KIB: Record<Role, number> = { writer: 32_768, reader: 4_096 };
const SORTER_KIB = 8192;
/** Cache size, in KiB, that forces SQLite to write pages to the log before the transaction ends. */
const SPILLING_KIB = 40;
const TEMP_CACHE_KIB = 8192;
/**
 * Length of the log, in pages, at which a commit copies the log into the database. The log must fit
 * into the space that is reserved for it (`Engine.reserveSpace`).
 */
const CHECKPOINT_PAGES = 1000;
/**
 * The same for long work while no other write waits. Copying later saves time, because long work
 * changes the same pages again and again. But the commit that copies then takes longer.
 */
const LATE_CHECKPOINT_PAGES = 8000;
const MAX_IDLE_WAL_BYTES = 32 * 1024 * 1024;

const noColumns: Columns = { names: [], booleans: [] };

interface CachedStatement {
  statement: Database.Statement<unknown[], RawRow>;
  columns: Columns;
}

/**
 * A SQLite connection with its prepared statements. The connection is used on a database thread,
 * because its calls are synchronous.
 */
export class Connection {
  readonly database: Database.Database;
  readonly #statements = new LRUCache<string, CachedStatement>({ max: MAX_CACHED_STATEMENTS });
  readonly #role: Role;
  #cacheKib: number;
  #sync: 'normal' | 'full' = 'full';
  #checkpointPages = CHECKPOINT_PAGES;
  readonly #mark: WaitMark;
  #parts = 0;

  constructor(file: string, role: Role, interruption: Interruption) {
    this.#role = role;
    this.#cacheKib = CACHE_KIB[role];
    this.#mark = new WaitMark(file);
    this.database = openWithRetries(file, role);
    interruption.addTo(this.database);
  }

  /**
   * Runs one statement. Returns the rows of the statement, or the number of rows that it changed.
   */
  query(sql: string, params: readonly unknown[]): QueryReply {
    const cached = this.#prepare(sql);
    if (!cached.statement.reader) {
      const { changes, lastInsertRowid } = cached.statement.run(toBound(params));
      return { columns: [], rows: [], changes, lastId: lastInsertRowid };
    }
    const rows = cached.statement.all(toBound(params));
    // Another process may have changed the columns of `select *`.
    if (rows[0] && rows[0].length !== cached.columns.names.length) {
      cached.columns = columnsOf(cached.statement);
    }
    for (const row of rows) toPlain(row, cached.columns);
    return { columns: cached.columns.names, rows };
  }

  /**
   * Like `query`, but for statements that may sort whole tables. SQLite lets each sorter use as
   * much memory as the page cache, so the cache is first made smaller. The next transaction
   * restores the size of the cache.
   */
  queryInLittleMemory(sql: string, params: readonly unknown[]): QueryReply {
    this.#setCache(SORTER_KIB);
    return this.query(sql, params);
  }

  /** Runs one statement for each row of parameters. Returns the total number of changed rows. */
  bulk(sql: string, rows: readonly (readonly unknown[])[]): number {
    const { statement } = this.#prepare(sql);
    let changes = 0;
    for (const row of rows) changes += statement.run(toBound(row)).changes;
    return changes;
  }

  /**
   * Begins a transaction with the write lock. Waits at most `waitMs` for other processes. SQLite's
   * own busy handler is not used, because it sleeps for up to 100 ms. During such a sleep, it would
   * miss the short pauses between the transactions of another process's long work.
   *
   * A part of long work first lets waiting processes take the lock. Returns true if there was such
   * a process. The commit of a part does not sync the log. The next transaction that is not a part
   * syncs the whole log, including the parts that other processes wrote.
   */
  begin(waitMs: number, part: Part | null = null): boolean {
    const giveUp = performance.now() + waitMs;
    const gaveWay = part !== null && this.#giveWay();
    this.#setCache(CACHE_KIB[this.#role]);
    this.#setSync(part === null ? 'full' : 'normal');
    this.#setCheckpoint(part === 'long' ? LATE_CHECKPOINT_PAGES : CHECKPOINT_PAGES);
    this.database.pragma('busy_timeout = 0');
    try {
      while (!this.#tryBegin(giveUp)) {
        this.#mark.set();
        sleep(BEGIN_RETRY_MS);
      }
    } finally {
      this.database.pragma(`busy_timeout = ${STATEMENT_WAIT_MS[this.#role]}`);
    }
    return gaveWay;
  }

  /** Runs one statement that is a transaction of its own. Waits for the write lock like `begin`. */
  single(sql: string, params: readonly unknown[], waitMs: number): QueryReply {
    this.begin(waitMs);
    const reply = this.query(sql, params);
    this.query('commit', []);
    return reply;
  }

  /** Returns true if another process has waited for the write lock since the last call. */
  isWaitedFor(): boolean {
    return this.#mark.wasSet();
  }

  /** Rolls back the transaction, unless SQLite has already rolled it back. */
  rollback(): void {
    if (this.database.inTransaction) this.query('rollback', []);
  }

  /**
   * Grows the write-ahead log to at least `bytes`, with a transaction that is rolled back. The file
   * of the log does not shrink, so its disk space remains reserved.
   */
  reserveSpace(bytes: number): void {
    this.begin(KEEP_ROOM_WAIT_MS);
    try {
      this.#setCache(SPILLING_KIB);
      this.database.exec('create table kept_room (bytes)');
      this.database.prepare('insert into kept_room values (randomblob(?))').run(bytes);
    } finally {
      this.rollback();
    }
  }

  close(): void {
    if (this.#role === 'writer') this.#mark.remove();
    this.database.close(); // the last closing connection checkpoints and removes the log
  }

  #giveWay(): boolean {
    this.#parts += 1;
    const isWaitedFor = this.#mark.wasSet();
    if (!isWaitedFor && this.#parts < MAX_PARTS_WITHOUT_PAUSE) return false;
    this.#parts = 0;
    sleep(GIVE_WAY_MS);
    return isWaitedFor;
  }

  #setCache(kib: number): void {
    if (kib === this.#cacheKib) return;
    this.database.pragma(`cache_size = ${-kib}`);
    this.#cacheKib = kib;
  }

  #setSync(sync: 'normal' | 'full'): void {
    if (sync === this.#sync) return;
    this.database.pragma(`synchronous = ${sync}`);
    this.#sync = sync;
  }

  #setCheckpoint(pages: number): void {
    if (pages === this.#checkpointPages) return;
    this.database.pragma(`wal_autocheckpoint = ${pages}`);
    this.#checkpointPages = pages;
  }

  #tryBegin(giveUp: number): boolean {
    try {
      this.query('begin immediate', []);
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUp) throw error;
      return false;
    }
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare<unknown[], RawRow>(sql);
    if (statement.reader) statement.raw(true);
    const columns = statement.reader ? columnsOf(statement) : noColumns;
    const cached: CachedStatement = { statement, columns };
    this.#statements.set(sql, cached);
    return cached;
  }
}

/** Opens the database. Retries while another process recovers the file or switches it to WAL. */
function openWithRetries(file: string, role: Role): Database.Database {
  const giveUp = performance.now() + OPEN_WAIT_MS;
  for (;;) {
    const options = { readonly: role === 'reader', fileMustExist: true };
    const database = new Database(file, { ...options, timeout: STATEMENT_WAIT_MS[role] });
    try {
      setUp(database, role);
      return database;
    } catch (error) {
      database.close();
      if (!isBusy(error) || performance.now() > giveUp) throw error;
      sleep(20);
    }
  }
}

// Memory mapping is turned off for two reasons. A failing disk would kill the process by SIGBUS,
// and mapped pages would count as memory of the process. Reads that miss SQLite's cache use the
// page cache of the operating system.
function setUp(database: Database.Database, role: Role): void {
  database.defaultSafeIntegers(true);
  if (role === 'writer') {
    const mode = database.pragma('journal_mode = wal', { simple: true });
    if (mode !== 'wal') throw new Error(`the file system allows no write-ahead log (${mode})`);
    database.pragma('synchronous = full');
    database.pragma('foreign_keys = on');
    database.pragma(`journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
    database.pragma(`temp.cache_size = ${-TEMP_CACHE_KIB}`);
  }
  database.pragma('mmap_size = 0');
  database.pragma('temp_store = file');
  database.pragma(`cache_size = ${-CACHE_KIB[role]}`);
  database.prepare('select count(*) from sqlite_schema').get(); // reads the header and the schema
  addTermTables(database);
}

/**
 * Blocks the thread. Call this function only on a database thread, which has nothing else to do.
 */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
