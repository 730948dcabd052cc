import { Backups } from '../../core/backups/backups.ts';
import { Copies } from '../../core/backups/copies/copies.ts';
import { ScheduledBackups } from '../../core/backups/scheduled-backups.ts';
import { localBackups } from '../../files/backups/backup-files.ts';
import { localBackupFolder } from '../../files/backups/backup-folder.ts';
import { SqlDatabaseCopies } from '../../sql/copies/native-backup.ts';
import { PortableCopies } from '../../sql/copies/row-backup.ts';
import { SqlCopiedDatabase } from '../../sql/copies/row-source.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { openCopyTarget } from '../copy-place.ts';
import { close } from '../resource-stack.ts';
import type { Storage } from '../storage.ts';

/**
 * Opens the backups and their schedule. Also returns the function that copies the whole catalogue.
 */
export function openBackups(
  base: BaseServices,
  { allAreas }: Storage,
  { backgroundJobs }: Pick<Catalog, 'backgroundJobs'>,
): Pick<Catalog, 'backups' | 'scheduledBackups' | 'copy'> {
  const { config, log, engine, clock, parts } = base;
  const isFile = config.database === '';
  const backups = new Backups({
    copies: isFile ? new SqlDatabaseCopies({ engine }) : new PortableCopies({ engine }),
    areas: allAreas,
    files: localBackups,
    clock,
  });
  const scheduledBackups =
    config.backupTo === ''
      ? null
      : new ScheduledBackups({
          backups,
          folder: localBackupFolder(config.backupTo, config.data),
          everyMs: config.backupEvery,
          keep: config.backupKeep,
          clock,
          start: () =>
            backgroundJobs.start({ kind: 'backup', options: {}, actor: { kind: 'system' } }),
          onFailure: (error) => log.warn({ err: error }, 'could not start a scheduled backup'),
        });
  if (scheduledBackups !== null) parts.track(scheduledBackups, close);
  return { backups, scheduledBackups, copy: copyOf(base, allAreas) };
}

/** Returns the function that copies the catalogue to the configured target. */
function copyOf(
  { config, engine, folders }: BaseServices,
  areas: Storage['allAreas'],
): Catalog['copy'] {
  return async (watch) => {
    const copies = new Copies({ areas, database: new SqlCopiedDatabase({ engine }) });
    const place = await openCopyTarget(config, folders.tmp);
    try {
      return await copies.copy(place, watch);
    } catch (error) {
      await place.abandon();
      throw error;
    } finally {
      await place.close();
    }
  };
}
