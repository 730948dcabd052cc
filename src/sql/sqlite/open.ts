import { open, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import { insufficientStorage, refused } from '../../core/shared/errors.ts';
import type { CopyOptions, Database, Engine, Snapshot, Work } from '../engine/engine.ts';
import type { ReadLimits } from '../engine/read-queue.ts';
import type { WriteOptions } from '../engine/write-options.ts';
import { leasedWork } from '../jobs/leased-work.ts';
import { reservedWork } from '../store/reserved-work.ts';
import type { Tables } from '../tables.ts';
import { CommitWatch } from './commit-watch.ts';
import { copyDatabase, type WithFixedState } from './copies/native-copy.ts';
import { syncFolder } from './copies/sync-folder.ts';
import { SqliteTableReader } from './copies/table-reader.ts';
import { databaseOver } from './database.ts';
import { toOpenError } from './errors.ts';
import { openReadOnly } from './open-read-only.ts';
import type { QueryReply } from './threads/protocol.ts';
import { ReaderPool } from './threads/reader-pool.ts';
import { DatabaseThread } from './threads/thread.ts';
import { refuseStream, Writer } from './threads/writer.ts';

/**
 * Maximum time that a copy waits for other writers, in ms. The longest transaction of an import may
 * take this long.
 */
const COPY_WAIT_MS = 60_000;
const REMOVAL_SPACE_BYTES = 12 * 1024 * 1024;
/**
 * Size of the write-ahead log, in bytes, that stays reserved on the disk. This size is enough for
 * several hundred logins.
 */
const RESERVED_LOG_BYTES = 8 * 1024 * 1024;

/**
 * Opens the database file with at most `readers` (default 3) reading connections. Creates the file
 * if it does not exist and `create` is set. Throws refused() if the file is missing, damaged or not
 * a database; the message names the file.
 */
export async function openSqlite<T = Tables>(
  file: string,
  options: { readers?: number; create?: boolean; limits?: Partial<ReadLimits> } = {},
): Promise<Engine<T>> {
  const path = resolve(file);
  await ensureFile(path, options.create ?? false);
  const { writer, reader } = await startThreads(path);
  const more = {
    maxThreads: options.readers ?? 3,
    start: () => DatabaseThread.start(path, 'reader'),
  };
  return new SqliteEngine<T>(path, writer, new ReaderPool(reader, more, options.limits));
}

class SqliteEngine<T> implements Engine<T> {
  readonly name: string;
  readonly read: Database<T>;
  readonly longRead: Database<T>;
  readonly single: Database<T>;
  readonly #thread: DatabaseThread;
  readonly #pool: ReaderPool;
  readonly #writer: Writer<T>;
  readonly #commits: CommitWatch;
  readonly #copies = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(file: string, writer: DatabaseThread, pool: ReaderPool) {
    this.name = file;
    this.#thread = writer;
    this.#pool = pool;
    this.#writer = new Writer<T>(writer);
    this.#commits = new CommitWatch(file);
    this.read = databaseOver<T>(pool.lane('quick'));
    this.longRead = databaseOver<T>(pool.lane('long'));
    this.single = databaseOver<T>({
      query: (sql, params) => this.#writer.single(sql, params),
      stream: refuseStream,
      noTransaction: 'a single statement has no other one beside it',
    });
  }

  async write<R>(work: Work<R, T>, options: WriteOptions = {}): Promise<R> {
    this.#checkOpen();
    return this.#writer.write(leasedWork(reservedWork(work)), options);
  }

  async stage<R>(work: Work<R, T>, signal?: AbortSignal): Promise<R> {
    this.#checkOpen();
    return this.#writer.stage(work, signal);
  }

  async checkFreeSpace(): Promise<void> {
    // Maximum growth of the database when the contents of the log are written into it. The reserved
    // size of the log is subtracted, because it is unknown how much of this size is used.
    const growth = Math.max(0, (await this.#logBytes()) - RESERVED_LOG_BYTES);
    if ((await this.#freeBytes()) < REMOVAL_SPACE_BYTES + growth) throw insufficientStorage();
  }

  partMs() {
    return this.#writer.partMs;
  }

  async reserveSpace(): Promise<void> {
    this.#checkOpen();
    if ((await this.#logBytes()) >= RESERVED_LOG_BYTES) return;
    if ((await this.#freeBytes()) < 2 * RESERVED_LOG_BYTES) throw insufficientStorage();
    await this.#writer.reserveSpace(RESERVED_LOG_BYTES);
  }

  commits() {
    return this.#closing ? null : this.#commits.read();
  }

  waiting() {
    return { read: this.#pool.waiting('quick'), longRead: this.#pool.waiting('long') };
  }

  async checkHealth(): Promise<void> {
    await sql`SELECT count(*) FROM sqlite_schema`.execute(this.read);
  }

  async findFault(): Promise<string | null> {
    try {
      const database = await openReadOnly(this.name);
      await database.checkIntegrity().finally(() => database.close());
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async checkWrites(): Promise<void> {
    await this.write(async (trx) => {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(trx);
      // SQLite writes the page with this number even if the number is unchanged.
      await sql`pragma user_version = ${sql.lit(rows[0]?.user_version ?? 0)}`.execute(trx);
    });
  }

  async copy(file: string, { signal, whileLocked }: CopyOptions = {}): Promise<void> {
    this.#checkOpen();
    const withFixedState = (fix: () => Promise<void>) => this.#withFixedState(fix, whileLocked);
    await this.#trackCopy(copyDatabase(this.name, resolve(file), { signal, withFixedState }));
  }

  async snapshot<R>(work: (snapshot: Snapshot) => Promise<R>, whileLocked?: () => Promise<void>) {
    this.#checkOpen();
    return this.#trackCopy(
      takeSnapshot(this.name, (fix) => this.#withFixedState(fix, whileLocked), work),
    );
  }

  async #withFixedState(
    fix: () => Promise<void>,
    whileLocked: (() => Promise<void>) | undefined,
  ): Promise<void> {
    if (whileLocked === undefined) return fix();
    const withoutWriters = async () => {
      await fix();
      await whileLocked();
    };
    await this.#writer.write(withoutWriters, { busyMs: COPY_WAIT_MS, mayIdle: true });
  }

  async #trackCopy<R>(running: Promise<R>): Promise<R> {
    this.#copies.add(running);
    return running.finally(() => this.#copies.delete(running));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // lets started reads reach the lanes
    await Promise.allSettled([this.#writer.whenIdle(), this.#pool.close(), ...this.#copies]);
    this.#commits.close();
    await this.#thread.stop(); // must be last: checkpoints and removes the log
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(dirname(this.name));
    return bavail * bsize;
  }

  async #logBytes(): Promise<number> {
    const log = await stat(`${this.name}-wal`).catch(() => undefined);
    return log?.size ?? 0;
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error('the database is closed');
  }
}

async function ensureFile(file: string, create: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) throw refused(`${file} is not a database`);
  if (found) return;
  if (!create) throw refused(`there is no database at ${file}`);
  try {
    await (await open(file, 'a', 0o600)).close(); // the file will contain password hashes
    await syncFolder(dirname(file));
  } catch (error) {
    throw refused(`cannot create the database ${file}: ${(error as Error).message}`, error);
  }
}

async function startThreads(file: string) {
  const started: DatabaseThread[] = [];
  try {
    const writer = await DatabaseThread.start(file, 'writer'); // must be first: prepares the file
    started.push(writer);
    return { writer, reader: await DatabaseThread.start(file, 'reader') };
  } catch (error) {
    await Promise.all(started.map((thread) => thread.stop()));
    throw toOpenError(error, file);
  }
}

/**
 * Runs `work`, which reads the database in the state that `withFixedState` has fixed. A separate
 * thread does the reading, so other work may read and write meanwhile.
 */
async function takeSnapshot<R>(
  database: string,
  withFixedState: WithFixedState,
  work: (snapshot: Snapshot) => Promise<R>,
): Promise<R> {
  const explain = (error: unknown): never => {
    throw toOpenError(error, database);
  };
  const thread = await DatabaseThread.start(database, 'reader').catch(explain);
  try {
    await withFixedState(() => thread.request({ op: 'fix-state' }));
    const runQuery = (sql: string, params: readonly unknown[]) =>
      thread.request<QueryReply>({ op: 'query', sql, params }).catch(explain);
    const { rows } = await runQuery('SELECT version FROM schema_version', []);
    return await work({ version: Number(rows[0]?.[0]), reader: new SqliteTableReader(runQuery) });
  } finally {
    await thread.stop();
  }
}
