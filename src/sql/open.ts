import type { Engine, HeldTarget, ReadOnlyDatabase } from './engine.ts';
import type { RowTarget } from './rows/row-ports.ts';
import type { RowTable } from './rows/row-tables.ts';
import { fillFile } from './sqlite/fill.ts';
import { currentVersion, openCurrent } from './sqlite/open-current.ts';
import { openReadOnly } from './sqlite/open-read-only.ts';
import { sealCopy, sizeOfCopy } from './sqlite/seal.ts';

/**
 * Opens the database at the URL of a PostgreSQL server. Creates its tables unless they `mustExist`,
 * or upgrades them from an older version. Waits some seconds for a server that is starting, and
 * calls `onStarting` then. Throws refused() with a line that names the database, without user and
 * password, when it cannot be used.
 */
export async function openPostgres(
  address: string,
  options: { mustExist?: boolean; onStarting?: () => void } = {},
): Promise<Engine> {
  // Loaded only when a PostgreSQL database is used.
  const { openCurrent } = await import('./postgres/open-current.ts');
  return openCurrent(address, options);
}

/**
 * Opens the database with `readers` (2) reading connections. Creates it if it is missing and
 * upgrades it from an older version, after copying it to the folder `backups` next to it. Throws
 * refused() with a line that names the file when it cannot be used.
 */
export function openDatabase(file: string, options: { readers?: number } = {}): Promise<Engine> {
  return openCurrent(file, options);
}

/**
 * Opens a database for reading only. Throws refused() with a line that names the file when it
 * cannot be read.
 */
export function lookAtDatabase(file: string): Promise<ReadOnlyDatabase> {
  return openReadOnly(file);
}

/** Opens the database at the URL of a PostgreSQL server for reading only. */
export async function lookAtPostgres(address: string): Promise<ReadOnlyDatabase> {
  const postgres = await import('./postgres/open-read-only.ts');
  return postgres.openReadOnly(address);
}

/**
 * Creates a new database of this version in `file` and has `work` fill its `tables`, which are
 * empty; nothing else may use the file meanwhile. The data is safe on disk when it resolves. A
 * failure may leave a partial database.
 */
export function fillDatabase<R>(
  file: string,
  options: FillOptions,
  work: (target: RowTarget) => Promise<R>,
): Promise<R> {
  return fillFile(file, options, work);
}

/**
 * Like `fillDatabase`, for the empty database at the URL of a PostgreSQL server, which stays empty
 * on failure. `work` receives the name of the database in messages. Throws refused() with a line
 * when the database is not empty or cannot be used, and when it is unknown whether it was filled.
 */
export async function fillPostgres<R>(
  address: string,
  options: FillOptions,
  work: (target: RowTarget, name: string) => Promise<R>,
): Promise<R> {
  const postgres = await import('./postgres/fill-database.ts');
  return postgres.fillPostgres(address, options, work);
}

/**
 * Reserves a database for long work that precedes `fillPostgres`. Throws refused() with a line
 * where `fillPostgres` would, and while another copy holds the database. Changes nothing.
 */
export async function holdPostgresTarget(address: string): Promise<HeldTarget> {
  const postgres = await import('./postgres/fill-database.ts');
  return postgres.holdPostgresTarget(address);
}

export interface FillOptions {
  /** Schema version; not newer than this program's. */
  readonly version: number;
  readonly tables: readonly RowTable[];
}

/** Schema version of this program's databases. */
export const schemaVersion = currentVersion;

/** Appends the SHA-256 of a database copy's contents to it; the engine does not read that part. */
export function sealDatabaseCopy(file: string): Promise<void> {
  return sealCopy(file);
}

/**
 * Returns how many bytes of a file are a database copy, or null if it is not one. Throws refused()
 * when the copy is truncated or was changed after it was sealed.
 */
export function sizeOfDatabaseCopy(file: string): Promise<number | null> {
  return sizeOfCopy(file);
}
