import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { BackupWatch, RestoreReport } from '../core/backups/backup-report.ts';
import { Copies, type CopyPlace } from '../core/backups/copies/copies.ts';
import type { CopyWatch } from '../core/backups/copies/copy-report.ts';
import { restoreBackup } from '../files/backups/restore.ts';
import { CopyFolder } from '../files/copies/copy-folder.ts';
import { localFiles } from '../files/stored-files.ts';
import { SqlCopiedDatabase } from '../sql/copied-database.ts';
import { checkCopy } from '../sql/database-copies.ts';
import { makeDatabaseOfRows } from '../sql/database-of-rows.ts';
import { forgetObjects } from '../sql/objects-of-copy.ts';
import { holdPostgresTarget, openDatabase, sizeOfDatabaseCopy } from '../sql/open.ts';
import { openFilesPlace } from './copy-place.ts';
import { checkFiles } from './stored-files.ts';

/** What was restored, and how many archives that lay in an object store the backup knows of and does not hold. */
export type CatalogRestoreReport = RestoreReport & { readonly forgotten: number };

/** `onCopy` is told how far rows are: into a file, and then into the database of a server. */
export type RestoreWatch = BackupWatch & { readonly onCopy: CopyWatch['onProgress'] };

/**
 * Makes a catalogue of a backup where the settings say: its data folder is empty or not there, and so is its database on a
 * server. Its files come where theirs are, wherever they lay before.
 */
export async function restoreCatalog(
  file: string,
  config: Config,
  watch: RestoreWatch,
): Promise<CatalogRestoreReport> {
  const { data, database, files } = config;
  if (database === '' && files === '') return restoreFolder(file, data, watch);
  const held = database === '' ? null : await holdPostgresTarget(database);
  try {
    await checkFiles(config);
    return await restoreElsewhere(file, config, watch);
  } finally {
    await held?.release();
  }
}

/** Where not all of it comes into the data folder: a database of a server, or a bucket. */
async function restoreElsewhere(
  file: string,
  config: Config,
  watch: RestoreWatch,
): Promise<CatalogRestoreReport> {
  const { data, database, files } = config;
  const isFile = database === '';
  const use = { takesDatabase: isFile, takesFiles: true, isOwn: false };
  const folder = await CopyFolder.begin(data, use);
  try {
    const report = await restoreFolder(file, folder.restored, watch);
    const isInFolder = files === '' || report.covers === null;
    const place = {
      database: isFile ? { file: folder.database, name: data } : { address: database },
      // What it left in a bucket is told in the folder itself.
      files: isInFolder
        ? null
        : await openFilesPlace(config, { filesTo: files, of: '' }, join(data, 'tmp')),
      beforeEnd: () => folder.takeRestored(isInFolder),
      end: async () => {},
    };
    const { signal, onCopy: onProgress } = watch;
    await copyRestored(folder.restored, place, { signal, onProgress }).finally(() =>
      place.files?.close(),
    );
    await folder.end();
    return report;
  } catch (error) {
    await folder.abandon();
    throw error;
  }
}

/** Copies what was restored into a folder to its place. */
async function copyRestored(data: string, place: CopyPlace, watch: CopyWatch): Promise<void> {
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
 * Makes the data folder, which is empty or not there, of a backup; see `restoreBackup`. The files of a backup that has any
 * lie there then, wherever they lay before.
 */
async function restoreFolder(
  file: string,
  data: string,
  watch: RestoreWatch,
): Promise<CatalogRestoreReport> {
  const { signal, onCopy: onProgress } = watch;
  let archives = 0;
  const report = await restoreBackup(file, data, {
    ...watch,
    checkDatabase: checkCopy,
    makeDatabase: (rows, to, name) => makeDatabaseOfRows(rows, to, { name, signal, onProgress }),
    sizeOfDatabase: sizeOfDatabaseCopy,
    async forgetObjects(of) {
      archives = await forgetObjects(of);
    },
  });
  return { ...report, forgotten: report.archives === null ? archives : 0 };
}
