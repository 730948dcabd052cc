import { basename } from 'node:path';
import type { BackupProgress, BackupReport } from '../core/backups/backup-report.ts';
import { refused } from '../core/shared/errors.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/**
 * Returns the work that writes a backup into the folder of `--backup-to`. Throws refused() if the
 * option is not set.
 */
export function backupWork({
  scheduledBackups,
}: Pick<Catalog, 'scheduledBackups'>): Work<'backup', BackupProgress, BackupReport> {
  if (scheduledBackups === null)
    throw refused('--backup-to is not set: there is no folder for backups');
  return {
    kind: 'backup',
    run: (watch) => scheduledBackups.write(watch),
    progressOf: ({ step, done, total, name }) => {
      if (step === 'rows') return { phase: step, done, total, unit: step, name };
      return { phase: 'backup', done, total, unit: 'bytes', name };
    },
    toStoredReport: ({ file, bytes, covers, damaged }) => {
      return { file: basename(file), bytes, covers, damaged: damaged.map((path) => ({ path })) };
    },
  };
}
