import type { Command } from 'commander';
import type { BackupProgress, BackupReport } from '../core/backups/backup-report.ts';
import { usageError } from '../core/shared/errors.ts';
import { withCatalog, withData } from './options.ts';
import { print, printError } from './output.ts';
import { ProgressDisplay } from './progress-display.ts';
import type { Shown } from './progress-line.ts';
import { whileSignals } from './while-signals.ts';

/** `catalog backup`: the database, or all of a catalogue, as they are while a server runs. */
export function addBackup(program: Command): void {
  withData(program.command('backup'))
    .description('write a consistent copy of the catalogue, also while the server runs')
    .argument(
      '<file>',
      'FILE.tar for database and covers, FILE.db for the database alone; an existing file is not replaced',
    )
    .option('--store', 'the archives as well')
    .action(backup);
}

function backup(file: string, flags: { store?: true }, command: Command): Promise<void> {
  const ending = /\.(tar|db)$/.exec(file)?.[1];
  if (ending === undefined) {
    throw usageError(`"${file}": a backup is FILE.tar (database and covers) or FILE.db (database)`);
  }
  if (ending === 'db' && flags.store) throw usageError('--store: archives go into FILE.tar only');
  return withCatalog(command, ({ backups }) =>
    whileSignals('stopped; nothing was written', async (signal) => {
      if (ending === 'db') {
        await backups.writeDatabase(file, signal);
        return print(`wrote ${file}`);
      }
      const display = new ProgressDisplay({ isSilent: false, firstLineMs: 10_000 });
      const onProgress = (progress: BackupProgress) => display.update(showBytes(progress));
      const report = await backups
        .write(file, { store: flags.store === true, signal, onProgress })
        .finally(() => display.clear());
      printReport(report);
    }),
  );
}

function printReport({ file, bytes, covers, archives, damaged }: BackupReport): void {
  for (const path of damaged) {
    printError(`${path}: not as it was recorded; the backup has it as it is`);
  }
  print(`wrote ${file}: ${describeContent({ covers, archives })}, ${bytes} bytes`);
  if (damaged.length > 0) process.exitCode = 1;
}

/** What beside numbers a backup holds; null for what it was not asked for. */
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

/** Of what reads or writes bytes, one file after the other. */
export function showBytes({ done, total, name }: BackupProgress): Shown {
  return { phase: '', done, total, areBytes: true, counts: [sizes(done, total)], name };
}

const sizes = (done: number, total: number) => `${mib(done)} of ${mib(total)} MiB`;

const mib = (bytes: number) => Math.round(bytes / 1_048_576);

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
