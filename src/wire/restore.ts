import { join } from 'node:path';
import type { BackupWatch, RestoreReport } from '../core/backups/backup-report.ts';
import { Copies, type CopyDestination } from '../core/backups/copies/copies.ts';
import type { CopyWatch } from '../core/backups/copies/copy-report.ts';
import { restoreBackup } from '../files/backups/restore.ts';
import { CopyFolder } from '../files/copies/copy-folder.ts';
import { localFiles } from '../files/stored-files.ts';
import type { Config } from '../settings/config.ts';
import { endUnendedJobs } from '../sql/copies/end-unended-jobs.ts';
import { checkCopy } from '../sql/copies/native-backup.ts';
import { createDatabaseFromRows } from '../sql/copies/open-row-backup.ts';
import { SqlCopiedDatabase } from '../sql/copies/row-source.ts';
import { openDatabase, reservePostgresTarget, sizeOfDatabaseCopy } from '../sql/engine/open.ts';
import { openFilesTarget } from './copy-place.ts';
import { type RestoredObjects, RestoringObjects } from './restored-objects.ts';
import { checkFilesBucket } from './stored-files.ts';

/** The report of a restore, including the files that the backup lists but does not contain. */
export type CatalogRestoreReport = RestoreReport & RestoredObjects;

/**
 * Receives the progress of a restore, and can abort the restore. `onCopy` reports the progress of
 * copying rows: first into a database file, then, if a database server is configured, into its
 * database.
 */
export type RestoreWatch = BackupWatch & { readonly onCopy: CopyWatch['onProgress'] };

/**
 * Restores a backup to the configured data folder, database and file storage. The data folder must
 * be empty or missing. A database on a server must be empty. Files are restored to the configured
 * storage, even if they were in another storage at the time of the backup.
 */
export async function restoreCatalog(
  file: string,
  config: Config,
  watch: RestoreWatch,
): Promise<CatalogRestoreReport> {
  const { data, database, files } = config;
  if (database === '' && files === '') {
    return restoreFolder(file, data, watch, new RestoringObjects(config, watch.signal));
  }
  const reservation = database === '' ? null : await reservePostgresTarget(database);
  try {
    await checkFilesBucket(config);
    return await restoreElsewhere(file, config, watch);
  } finally {
    await reservation?.release();
  }
}

/**
 * Restores a backup to a database server or a bucket, so that the database or the files are outside
 * the data folder.
 */
async function restoreElsewhere(
  file: string,
  config: Config,
  watch: RestoreWatch,
): Promise<CatalogRestoreReport> {
  const { data, database, files } = config;
  const isFile = database === '';
  const use = { takesDatabase: isFile, takesFiles: true, isOwn: false };
  const folder = await CopyFolder.begin(data, use);
  const objects = new RestoringObjects(config, watch.signal);
  try {
    const report = await restoreFolder(file, folder.restored, watch, objects);
    const isInFolder = files === '' || report.covers === null;
    const place = {
      database: isFile ? { file: folder.database, name: data } : { url: database },
      // The record of files that an interrupted restore left in a bucket is stored directly in the
      // data folder.
      files: isInFolder
        ? null
        : await openFilesTarget(
            config,
            { filesTo: files, of: '', there: objects.attached },
            join(data, 'tmp'),
          ),
      beforeEnd: () => folder.moveRestoredIntoPlace(isInFolder),
      end: async () => {},
    };
    const { signal, onCopy: onProgress } = watch;
    await copyRestored(folder.restored, place, { signal, onProgress }).finally(() =>
      place.files?.close(),
    );
    await folder.complete();
    return report;
  } catch (error) {
    await folder.abandon();
    throw error;
  }
}

/** Copies a catalogue that was restored into the folder `data` to the target `place`. */
async function copyRestored(data: string, place: CopyDestination, watch: CopyWatch): Promise<void> {
  const engine = await openDatabase(join(data, 'catalog.db'), { readers: 1 });
  try {
    const { areas, covers } = await localFiles(data);
    const database = new SqlCopiedDatabase({ engine, isRestored: true });
    await new Copies({ areas: { ...areas, covers }, database }).copy(place, watch);
  } finally {
    await engine.close();
  }
}

/**
 * Restores a backup into the data folder, which must be empty or missing; see `restoreBackup`.
 * Files in the backup are also stored in this folder, even if they were in another storage at the
 * time of the backup.
 */
async function restoreFolder(
  file: string,
  data: string,
  watch: RestoreWatch,
  objects: RestoringObjects,
): Promise<CatalogRestoreReport> {
  const { signal, onCopy: onProgress } = watch;
  const report = await restoreBackup(file, data, {
    ...watch,
    checkDatabase: checkCopy,
    makeDatabase: (rows, to, name) =>
      createDatabaseFromRows(rows, to, { name, signal, onProgress }),
    sizeOfDatabase: sizeOfDatabaseCopy,
    adaptObjects: (database, { covers, archives }) =>
      objects.adapt(database, { covers: covers !== null, archives: archives !== null }),
    endUnendedJobs,
  });
  return { ...report, ...objects.report() };
}
