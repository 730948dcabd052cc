import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupWatch, RestoreReport } from '../../core/backups/backup-report.ts';
import { databaseName, rowsName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { isGone } from '../local/disk-error.ts';
import { syncFolder } from '../local/durable.ts';
import { damagedBackup } from './refusals.ts';
import { unpackDatabase } from './unpack-database.ts';
import { isTar, unpackTar } from './unpack-tar.ts';
import { withPathInErrors } from './write-atomically.ts';

/**
 * Name of the temporary folder of a restore, inside the data folder. If a data folder contains
 * `restoreFolder` but no database, the restore is unfinished and there is no catalogue.
 */
const restoreFolder = '.catalog-restore';

/**
 * Entries that mkfs creates in a new file system. A folder that contains only these entries is
 * treated as empty.
 */
const ignoredEntries: readonly string[] = ['lost+found'];

export interface RestoreOptions extends BackupWatch {
  /**
   * Throws refused() if this program cannot start with the database in `file`. The error message
   * calls the database `name`.
   */
  readonly checkDatabase: (file: string, name: string) => Promise<unknown>;
  /**
   * Adapts the records of objects in an object store, in the database in `file`, to the place that
   * the files are restored to. `report` says which files the backup contains.
   */
  readonly adaptObjects: (file: string, report: RestoreReport) => Promise<void>;
  /** Ends the jobs that had not ended when the backup was written. */
  readonly endUnendedJobs: (file: string) => Promise<void>;
  /**
   * Creates the database `to` from the rows of a backup, which are in the file `rows`. Error
   * messages call the backup `name`.
   */
  readonly makeDatabase: (rows: string, to: string, name: string) => Promise<void>;
  /**
   * Returns the size of the database copy in a file, in bytes; null if the file is not a database
   * copy. Throws refused() if the copy was changed.
   */
  readonly sizeOfDatabase: (file: string) => Promise<number | null>;
}

/**
 * Restores the backup `file` into the data folder `data`, which must be empty or missing. All
 * content is first unpacked into `restoreFolder`, checked and synced to disk. Then the content is
 * moved into the data folder, the database last. So after a crash, there is either a whole
 * catalogue or none. Throws refused() if the folder is not empty, or if the backup is truncated,
 * changed or too new. After an abort, or an error before this move, the data folder is as it was
 * before.
 */
export async function restoreBackup(
  file: string,
  data: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const handle = await openBackup(file);
  try {
    const made = await withPathInErrors(data, () => prepare(data));
    const staging = join(data, restoreFolder);
    try {
      await withPathInErrors(data, () => mkdir(staging, { mode: 0o700 }));
      const report = await unpack(handle, file, staging, options);
      await makeDatabase(staging, file, options);
      const database = join(staging, databaseName);
      await options.checkDatabase(database, file);
      await options.adaptObjects(database, report);
      await options.endUnendedJobs(database);
      options.signal.throwIfAborted();
      await withPathInErrors(data, () => moveIntoPlace(staging, data));
      return report;
    } catch (error) {
      await rm(staging, { recursive: true, force: true });
      if (made !== undefined) await rmdir(data).catch(() => undefined);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function openBackup(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw refused(`cannot read ${file}: ${systemReason(error)}`, error);
  }
  throw refused(`${file} is not a file`);
}

/**
 * Creates the data folder if it is missing, and removes the leftovers of an interrupted restore.
 * Returns the topmost folder that was created; undefined if the data folder existed.
 */
async function prepare(data: string): Promise<string | undefined> {
  const made = await mkdir(data, { recursive: true, mode: 0o700 });
  const left = (await readdir(data)).filter((name) => !ignoredEntries.includes(name));
  if (left.some((name) => name !== restoreFolder)) {
    throw refused(`${data} is not empty: a restore needs a new or empty data folder`);
  }
  await rm(join(data, restoreFolder), { recursive: true, force: true });
  return made;
}

async function unpack(
  handle: FileHandle,
  file: string,
  staging: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const head = Buffer.alloc(512);
  const { bytesRead } = await handle.read(head, 0, 512, 0);
  if (bytesRead < 512) throw damagedBackup(file);
  const size = await options.sizeOfDatabase(file);
  if (size !== null) {
    const bytes = await unpackDatabase(
      { handle, file, size },
      join(staging, databaseName),
      options,
    );
    return { madeAt: null, covers: null, archives: null, bytes };
  }
  if (isTar(head)) return unpackTar(handle, file, staging, options);
  throw refused(`${file} is not a backup of Catalog, or its beginning was changed`);
}

/**
 * Creates the database from the backup's rows. Does nothing if the backup contained a database
 * instead of rows.
 */
async function makeDatabase(staging: string, file: string, options: RestoreOptions): Promise<void> {
  const rows = join(staging, rowsName);
  if (!(await readdir(staging)).includes(rowsName)) return;
  await options.makeDatabase(rows, join(staging, databaseName), file);
  await rm(rows);
}

async function moveIntoPlace(staging: string, data: string): Promise<void> {
  await syncFolder(staging);
  for (const name of ['covers', 'store']) {
    try {
      await rename(join(staging, name), join(data, name));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  await syncFolder(data);
  await rename(join(staging, databaseName), join(data, databaseName));
  await syncFolder(data);
  await rm(staging, { recursive: true, force: true });
}

/**
 * Throws refused() for a data folder with an unfinished restore. Removes the leftovers of a
 * finished restore.
 */
export async function refuseUnfinishedRestore(data: string): Promise<void> {
  const names = await readdir(data).catch((): string[] => []);
  if (!names.includes(restoreFolder)) return;
  if (names.includes(databaseName)) {
    return rm(join(data, restoreFolder), { recursive: true, force: true });
  }
  throw refused(`a restore into ${data} was interrupted: empty the folder and restore again`);
}
