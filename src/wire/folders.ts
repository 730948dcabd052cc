import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refused } from '../core/shared/errors.ts';
import { refuseUnfinishedRestore } from '../files/backups/restore.ts';
import { refuseUnfinishedCopy } from '../files/copies/copy-folder.ts';
import { ensureDataFolder } from '../files/data-folder.ts';
import { areaTmpFolder } from '../files/local/local-area.ts';
import { sweepTmp } from '../files/sweep-tmp.ts';
import type { Config } from '../settings/config.ts';
import type { OpenOptions, WarningLog } from './catalog.ts';

/** Absolute paths in the data folder. */
export interface Folders {
  /** The database file. It is used only if no database server is configured. */
  readonly databaseFile: string;
  readonly tmp: string;
  readonly thumbnails: string;
}

/**
 * Checks and creates the data folder, and removes the leftovers of dead processes from its
 * temporary folders. Throws refused() if the folder has no catalogue but must have one, or if a
 * restore or copy to the folder is unfinished.
 */
export async function prepareFolders({
  config,
  log,
  options,
}: {
  config: Config;
  log: WarningLog;
  options: OpenOptions;
}): Promise<Folders> {
  const { data, database, files } = config;
  const folders: Folders = {
    databaseFile: join(data, 'catalog.db'),
    tmp: join(data, 'tmp'),
    thumbnails: join(data, 'thumbnails'),
  };
  await refuseUnfinishedRestore(data);
  await refuseUnfinishedCopy(data, {
    keepsDatabaseInFolder: database === '',
    keepsFilesInFolder: files === '',
  });
  if (database === '' && options.mustExist && !existsSync(folders.databaseFile)) {
    throw refused(
      `there is no catalogue in ${data}: check --data ("catalog serve" and "catalog import" create one)`,
    );
  }
  const warning = await ensureDataFolder(data);
  if (warning !== null) log.warn({}, warning);
  await sweepTmp(folders.tmp);
  await sweepTmp(areaTmpFolder(folders.thumbnails));
  return folders;
}
