import type { Command } from 'commander';
import type { BackupProgress } from '../../core/backups/backup-report.ts';
import type { CopyProgress } from '../../core/backups/copies/copy-report.ts';
import type { Config } from '../../settings/config.ts';
import { type CatalogRestoreReport, restoreCatalog } from '../../wire/restore.ts';
import { configOf, withData } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import { withStopSignals } from '../with-stop-signals.ts';
import { describeContent, showBackup } from './backup.ts';
import { showCopy } from './copy.ts';

/** Adds `catalog restore`: creates a catalogue from a backup. */
export function addRestore(program: Command): void {
  withData(program.command('restore'))
    .description(
      'restore a backup into an empty data folder, and into an empty database if one is set',
    )
    .argument('<file>', 'backup file, written by "catalog backup" or by a server')
    .option('--json', 'print the report as JSON')
    .action(restore);
}

async function restore(file: string, flags: { json?: true }, command: Command): Promise<void> {
  const config = configOf(command);
  const display = new ProgressDisplay({ isSilent: flags.json === true, firstLineMs: 10_000 });
  const onProgress = (progress: BackupProgress) => display.update(showBackup(progress));
  const onCopy = (progress: CopyProgress) => display.update(showCopy(progress));
  const inBucket =
    config.files === '' ? '' : ': run it again (files that are in the bucket are skipped)';
  const report = await withStopSignals(`stopped; nothing was restored${inBucket}`, (signal) =>
    restoreCatalog(file, config, { signal, onProgress, onCopy }),
  ).finally(() => display.clear());
  if (report.missing.length > 0) process.exitCode = 1;
  if (flags.json) return printJson(report);
  const of = report.madeAt === null ? '' : ` of ${report.madeAt}`;
  print(`restored ${describeContent(report)}${of} into ${placeOf(config)}: ${report.bytes} bytes`);
  if (report.covers === null) print('the backup contains no covers and no archives');
  else if (report.archives === null) print('the backup contains no archives');
  printObjects(report);
}

function printObjects({ forgotten, attached, missing, unknown }: CatalogRestoreReport): void {
  if (forgotten > 0) {
    print(
      `archives that were in a bucket and are not in this catalogue: ${forgotten} (a backup made with --store contains them)`,
    );
  }
  if (attached > 0) print(`files that are in the bucket, and were attached: ${attached}`);
  for (const path of missing) printError(`${path}: missing in the bucket`);
  if (unknown > 0)
    print(`objects in the bucket that the backup does not know: ${unknown}; they stay`);
}

function placeOf({ data, database, files }: Config): string {
  const places = [database === '' ? data : 'the database', files];
  return places.filter((place) => place !== '').join(' and ');
}
