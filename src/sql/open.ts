import type { Engine, HeldTarget, ReadOnlyDatabase } from './engine.ts';
import type { RowTarget } from './rows/row-ports.ts';
import type { RowTable } from './rows/row-tables.ts';
import { fillFile } from './sqlite/fill.ts';
import { currentVersion, openCurrent } from './sqlite/open-current.ts';
import { openReadOnly } from './sqlite/open-read-only.ts';
import { sealCopy, sizeOfCopy } from './sqlite/seal.ts';

/**
 * Opens the database at the address of a PostgreSQL server, creating its tables unless they `mustExist`, or upgrading them
 * from an older version. A server that is starting is waited for, for some seconds, and told of by `onStarting`.
 * Throws refused() with a line that names the database, without user and password, when it cannot be used.
 */
export async function openPostgres(
  address: string,
  options: { mustExist?: boolean; onStarting?: () => void } = {},
): Promise<Engine> {
  // Loaded only for those who ask for it.
  const { openCurrent } = await import('./postgres/open-current.ts');
  return openCurrent(address, options);
}

/**
 * Opens the database with `readers` (2) connections that read, creating it where it is missing and upgrading it from an
 * older version; before an upgrade it is copied to the folder `backups` beside it. Throws refused() with a line that names
 * the file when it cannot be used.
 */
export function openDatabase(file: string, options: { readers?: number } = {}): Promise<Engine> {
  return openCurrent(file, options);
}

/** Opens a database only to look at it. Throws refused() with a line that names the file when it cannot be read. */
export function lookAtDatabase(file: string): Promise<ReadOnlyDatabase> {
  return openReadOnly(file);
}

/** The same at the address of a PostgreSQL server. */
export async function lookAtPostgres(address: string): Promise<ReadOnlyDatabase> {
  const postgres = await import('./postgres/open-read-only.ts');
  return postgres.openReadOnly(address);
}

/**
 * Has `work` fill a new database in `file`, of this version, whose `tables` are empty then; nothing may use it meanwhile.
 * Safe on disk when it resolves. Of one that fails, half a database may be left.
 */
export function fillDatabase<R>(
  file: string,
  options: FillOptions,
  work: (target: RowTarget) => Promise<R>,
): Promise<R> {
  return fillFile(file, options, work);
}

/**
 * The same in the empty database at the address of a PostgreSQL server, which stays empty when it fails; `work` is told what
 * it is called in messages. Throws refused() with a line for one that is not empty, or cannot be used, and for one of which
 * nobody knows whether it was filled.
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
 * Keeps a database for whoever has long work to do before `fillPostgres`. Throws refused() with a line where that would, and
 * while another copy has it. Changes nothing.
 */
export async function holdPostgresTarget(address: string): Promise<HeldTarget> {
  const postgres = await import('./postgres/fill-database.ts');
  return postgres.holdPostgresTarget(address);
}

export interface FillOptions {
  /** Of the schema; not newer than this program's. */
  readonly version: number;
  readonly tables: readonly RowTable[];
}

/** Of a database of this program. */
export const schemaVersion = currentVersion;

/** Ends the copy of a database with the SHA-256 of what it holds, which the engine does not look at. */
export function sealDatabaseCopy(file: string): Promise<void> {
  return sealCopy(file);
}

/**
 * How many bytes of a file are the copy of a database; null when it is none. Throws refused() for one that is cut, or not
 * as it was sealed.
 */
export function sizeOfDatabaseCopy(file: string): Promise<number | null> {
  return sizeOfCopy(file);
}
