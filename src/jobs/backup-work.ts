import { basename } from 'node:path';
import type { BackupProgress, BackupReport } from '../core/backups/backup-report.ts';
import { refused } from '../core/shared/errors.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/**
 * Maximum number of damaged files that a job's report lists. The report's count `damagedFiles`
 * includes all damaged files.
 */
const mostDamaged = 500;

/**
 * Returns the work that writes a backup into the folder of `--backup-to`. Throws refused() if the
 * option is not set.
 */
export function backupWork({
  scheduledBackups,
}: Pick<Catalog, 'scheduledBackups'>): Work<BackupProgress, BackupReport> {
  if (scheduledBackups === null)
    throw refused('--backup-to is not set: there is no folder for backups');
  return {
    run: (watch) => scheduledBackups.write(watch),
    progressOf: ({ step, done, total, name }) => {
      if (step === 'rows') return { phase: step, done, total, unit: step, name };
      return { phase: 'backup', done, total, unit: 'bytes', name };
    },
    kept: ({ file, bytes, covers, damaged }) => {
      const first = damaged.slice(0, mostDamaged).map((path) => ({ path }));
      return { file: basename(file), bytes, covers, damaged: first, damagedFiles: damaged.length };
    },
  };
}
