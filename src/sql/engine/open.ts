import type { RowTarget } from '../rows/row-ports.ts';
import type { RowTable } from '../rows/row-tables.ts';
import { fillFile } from '../sqlite/copies/fill.ts';
import { sealCopy, sizeOfCopy } from '../sqlite/copies/seal.ts';
import { currentVersion, openCurrent } from '../sqlite/open-current.ts';
import { openReadOnly } from '../sqlite/open-read-only.ts';
import type { Engine, ReadOnlyDatabase, ReservedTarget } from './engine.ts';

/**
 * Opens the PostgreSQL database at a URL. Upgrades a database of an older version. Creates the
 * tables in an empty database, unless `mustExist` is set. Throws refused() for a database of an
 * older version if `mustBeCurrent` is set. Opens at most `connections` connections (default 17). If
 * the server is still starting, or has no room for another connection, calls `onWait` and waits for
 * some seconds. Throws refused() if the database cannot be used; the message names the database,
 * without user and password.
 */
export async function openPostgres(
  url: string,
  options: {
    mustExist?: boolean;
    mustBeCurrent?: boolean;
    connections?: number;
    onWait?: (reason: 'starting' | 'full') => void;
  } = {},
): Promise<Engine> {
  // Imported dynamically, so that this code is loaded only when a PostgreSQL database is used.
  const { openCurrent } = await import('../postgres/open-current.ts');
  return openCurrent(url, options);
}

/**
 * Opens the database file with `readers` (default 3) reading connections. Creates the file if it
 * does not exist. Upgrades a database of an older version, after copying it to the folder `backups`
 * next to the file. If `mustBeCurrent` is set, throws refused() for such a database. Also throws
 * refused() if the file cannot be used. The message names the file.
 */
export function openDatabase(
  file: string,
  options: { readers?: number; mustBeCurrent?: boolean } = {},
): Promise<Engine> {
  return openCurrent(file, options);
}

/**
 * Opens a database file read-only. Throws refused() if the file cannot be read; the message names
 * the file.
 */
export function openDatabaseReadOnly(file: string): Promise<ReadOnlyDatabase> {
  return openReadOnly(file);
}

/** Opens the PostgreSQL database at `url` read-only. */
export async function openPostgresReadOnly(url: string): Promise<ReadOnlyDatabase> {
  const postgres = await import('../postgres/open-read-only.ts');
  return postgres.openReadOnly(url);
}

/**
 * Creates a new database of the version `options.version` in `file`. Then runs `work`, which fills
 * the empty `tables`. Nothing else may use the file meanwhile. The data is durable when the promise
 * resolves. If the promise rejects, a partial database may remain.
 */
export function fillDatabase<R>(
  file: string,
  options: FillOptions,
  work: (target: RowTarget) => Promise<R>,
): Promise<R> {
  return fillFile(file, options, work);
}

/**
 * Like `fillDatabase`, but fills the empty PostgreSQL database at a URL. `work` also receives the
 * name of the database for messages. If filling fails, the database stays empty. Throws refused()
 * if the database is not empty or cannot be used. Throws refusedOutcomeUnknown() if it is unknown
 * whether the database was filled.
 */
export async function fillPostgres<R>(
  url: string,
  options: FillOptions,
  work: (target: RowTarget, name: string) => Promise<R>,
): Promise<R> {
  const postgres = await import('../postgres/copies/fill-database.ts');
  return postgres.fillPostgres(url, options, work);
}

/**
 * Reserves a PostgreSQL database for long work that ends with `fillPostgres`. The reservation does
 * not change the database. Throws refused() if the database is not empty or cannot be used, or if
 * another copy has reserved it.
 */
export async function reservePostgresTarget(url: string): Promise<ReservedTarget> {
  const postgres = await import('../postgres/copies/fill-database.ts');
  return postgres.reservePostgresTarget(url);
}

export interface FillOptions {
  /** Schema version of the new database. The version must not be newer than `schemaVersion`. */
  readonly version: number;
  readonly tables: readonly RowTable[];
}

/** The schema version that this program creates. */
export const schemaVersion = currentVersion;

/**
 * Appends a seal to a copy of a database: the SHA-256 of the contents. The engine ignores the seal.
 */
export function sealDatabaseCopy(file: string): Promise<void> {
  return sealCopy(file);
}

/**
 * Returns the size of the database copy in a file, without its seal, in bytes. Returns null if the
 * file is not a database copy. Throws refused() if the copy is truncated, or was changed after it
 * was sealed.
 */
export function sizeOfDatabaseCopy(file: string): Promise<number | null> {
  return sizeOfCopy(file);
}
