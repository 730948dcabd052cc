import type { Command } from 'commander';
import type { BackupProgress, BackupReport } from '../../core/backups/backup-report.ts';
import { refused, usageError } from '../../core/shared/errors.ts';
import { checkFilesBucket } from '../../wire/stored-files.ts';
import { withCatalog, withData } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { withStopSignals } from '../with-stop-signals.ts';

/**
 * Adds `catalog backup`: backs up the database or the whole catalogue, even while a server runs.
 */
export function addBackup(program: Command): void {
  withData(program.command('backup'))
    .description('write a consistent backup of the catalogue, even while a server is running')
    .argument(
      '<file>',
      'FILE.tar for database and covers, FILE.db for the database alone; an existing file is not replaced',
    )
    .option('--store', 'also back up the archives')
    .option('--json', 'print the report as JSON')
    .action(backup);
}

const tarOnly = 'a PostgreSQL database cannot be backed up to a FILE.db: use a FILE.tar';

interface BackupFlags {
  readonly store?: true;
  readonly json?: true;
}

function backup(file: string, flags: BackupFlags, command: Command): Promise<void> {
  const ending = /\.(tar|db)$/.exec(file)?.[1];
  if (ending === undefined) {
    throw usageError(
      `"${file}": name the backup FILE.tar (database and covers) or FILE.db (database)`,
    );
  }
  if (ending === 'db' && flags.store)
    throw usageError('--store: only a FILE.tar can contain archives');
  return withCatalog(command, ({ backups }, config) =>
    withStopSignals('stopped; nothing was written', async (signal) => {
      if (ending === 'db' && config.database !== '') throw refused(tarOnly);
      if (ending === 'db') {
        await backups.writeDatabase(file, signal);
        return flags.json ? printJson({ file }) : print(`wrote ${file}`);
      }
      await checkFilesBucket(config);
      const display = new ProgressDisplay({ isSilent: flags.json === true, firstLineMs: 10_000 });
      const onProgress = (progress: BackupProgress) => display.update(showBackup(progress));
      const report = await backups
        .write(file, { store: flags.store === true, signal, onProgress })
        .finally(() => display.clear());
      if (flags.json) printJson(report);
      else printReport(report);
      if (report.damaged.length > 0) process.exitCode = 1;
    }),
  );
}

function printReport({ file, bytes, covers, archives, damaged }: BackupReport): void {
  for (const path of damaged) {
    printError(`${path}: differs from its record; the backup contains it as it is now`);
  }
  print(`wrote ${file}: ${describeContent({ covers, archives })}, ${bytes} bytes`);
}

/** Describes the content of a backup. A count is null if the backup does not include that part. */
export function describeContent(content: {
  covers: number | null;
  archives: number | null;
}): string {
  const { covers, archives } = content;
  const parts = ['the database'];
  if (covers !== null) parts.push(counted(covers, 'cover'));
  if (archives !== null) parts.push(counted(archives, 'archive'));
  return parts.join(', ');
}

/** Converts the progress of writing or reading a backup to the form that the display shows. */
export function showBackup({ step, done, total, name }: BackupProgress): ProgressView {
  if (step === 'rows') {
    return { phase: step, done, total, counts: [`${done} of ${total} rows`], name };
  }
  return { phase: '', done, total, areBytes: true, counts: [sizes(done, total)], name };
}

const sizes = (done: number, total: number) => `${mib(done)} of ${mib(total)} MiB`;

const mib = (bytes: number) => Math.round(bytes / 1_048_576);

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
