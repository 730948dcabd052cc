import { open, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import { insufficientStorage, refused } from '../../core/shared/errors.ts';
import { backUp } from './backup.ts';
import { kyselyOver } from './dialect.ts';
import { toOpenError } from './errors.ts';
import { ReaderPool } from './reader-pool.ts';
import { syncFolder } from './sync-folder.ts';
import { DatabaseThread } from './thread.ts';
import { type Work, Writer } from './writer.ts';

const ROOM_TO_REMOVE_BYTES = 12 * 1024 * 1024;

/** An open SQLite database: one writing and a few reading connections, each on a thread of its own. */
export interface Sql<Tables> {
  /** The absolute path of the database. */
  readonly file: string;
  /**
   * For SELECTs: each sees the newest committed state. `.stream()` needs flat memory whatever its chunk size,
   * but while it is open the write-ahead log cannot shrink: page instead of streaming to a slow reader.
   */
  readonly read: Kysely<Tables>;
  /**
   * One transaction; transactions of this process queue. Resolves when the commit is safe on disk; rolls back
   * and rethrows when `work` throws. `work` does nothing slow, and never calls write().
   * Throws busy() when the transaction could not begin within `busyMs` (4500) of the call, insufficientStorage()
   * when the disk is full, `SqlError` for the rest.
   */
  write<T>(work: Work<Tables, T>, options?: { busyMs?: number }): Promise<T>;
  /**
   * Work on the read-write connection without a transaction and without the write lock, to fill TEMP tables from what
   * is given and from what the database holds; the next write() sees them. Others write between its queries. Changes
   * no table but TEMP ones, and is for the command line only, because TEMP tables are one set per process. They are
   * lost when the disk fails. Throws the signal's reason before the next query once `signal` is aborted.
   */
  stage<T>(work: Work<Tables, T>, signal?: AbortSignal): Promise<T>;
  /**
   * Before a part of long work that is removed again if it fails, because also removing takes space: throws
   * insufficientStorage() when there is too little for that.
   */
  checkRoom(): Promise<void>;
  /**
   * Writes a consistent copy to `file`, aside first and renamed when it is safe on disk, while others read and
   * write. Throws refused() when `file` exists, unless `replace`.
   */
  backup(file: string, options?: { replace?: boolean }): Promise<void>;
  /** Waits for what was asked, ends open streams, closes the connections and ends the threads. */
  close(): Promise<void>;
}

/**
 * Opens the database `file`, creating it when `create` is set, with `readers` (2) reading connections.
 * Throws refused() with a line that names the file when it is missing, damaged or no database.
 */
export async function openSqlite<Tables>(
  file: string,
  options: { readers?: number; create?: boolean } = {},
): Promise<Sql<Tables>> {
  const path = resolve(file);
  await ensureFile(path, options.create ?? false);
  const [writer, ...readers] = await startThreads(path, options.readers ?? 2);
  return new OpenSql<Tables>(path, writer, readers);
}

class OpenSql<Tables> implements Sql<Tables> {
  readonly file: string;
  readonly read: Kysely<Tables>;
  readonly #threads: DatabaseThread[];
  readonly #pool: ReaderPool;
  readonly #writer: Writer<Tables>;
  readonly #backups = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(file: string, writer: DatabaseThread, readers: DatabaseThread[]) {
    this.file = file;
    this.#threads = [...readers, writer];
    this.#pool = new ReaderPool(readers);
    this.#writer = new Writer<Tables>(writer);
    this.read = kyselyOver<Tables>(this.#pool);
  }

  async write<T>(work: Work<Tables, T>, options: { busyMs?: number } = {}): Promise<T> {
    this.#checkOpen();
    return this.#writer.write(work, options.busyMs);
  }

  async stage<T>(work: Work<Tables, T>, signal?: AbortSignal): Promise<T> {
    this.#checkOpen();
    return this.#writer.stage(work, signal);
  }

  async checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.file));
    const log = await stat(`${this.file}-wal`).catch(() => undefined); // what the database may yet grow by
    if (bavail * bsize < ROOM_TO_REMOVE_BYTES + (log?.size ?? 0)) throw insufficientStorage();
  }

  async backup(file: string, options: { replace?: boolean } = {}): Promise<void> {
    this.#checkOpen();
    const running = backUp(this.file, resolve(file), options.replace ?? false);
    this.#backups.add(running);
    await running.finally(() => this.#backups.delete(running));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // reads asked just now are still inside Kysely
    await Promise.allSettled([this.#writer.settled(), this.#pool.close(), ...this.#backups]);
    for (const thread of this.#threads) await thread.stop(); // the writer last: it empties the log
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
    await (await open(file, 'a', 0o600)).close(); // it holds password hashes
    await syncFolder(dirname(file));
  } catch (error) {
    throw refused(`cannot create the database ${file}: ${(error as Error).message}`, error);
  }
}

async function startThreads(
  file: string,
  readers: number,
): Promise<[DatabaseThread, ...DatabaseThread[]]> {
  const started: DatabaseThread[] = [];
  try {
    const writer = await DatabaseThread.start(file, 'writer'); // first: it prepares the file
    started.push(writer);
    for (let i = 0; i < readers; i++) started.push(await DatabaseThread.start(file, 'reader'));
    return [writer, ...started.slice(1)];
  } catch (error) {
    await Promise.all(started.map((thread) => thread.stop()));
    throw toOpenError(error, file);
  }
}
