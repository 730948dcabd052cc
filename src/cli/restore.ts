import type { Command } from 'commander';
import type { BackupProgress } from '../core/backups/backup-report.ts';
import { refused } from '../core/shared/errors.ts';
import { restoreCatalog } from '../wire.ts';
import { describeContent, showBytes } from './backup.ts';
import { configOf, withData } from './options.ts';
import { print } from './output.ts';
import { ProgressDisplay } from './progress-display.ts';
import { whileSignals } from './while-signals.ts';

/** `catalog restore`: a data folder from a backup. */
export function addRestore(program: Command): void {
  withData(program.command('restore'))
    .description('make an empty data folder a catalogue again from a backup')
    .argument('<file>', 'what catalog backup wrote')
    .action(restore);
}

const instead = 'restore into the data folder, without --files and CATALOG_FILES';
const intoFile = 'restore into a data folder, without --database and CATALOG_DATABASE';

async function restore(file: string, _options: unknown, command: Command): Promise<void> {
  const { data, database, files } = configOf(command);
  if (database !== '')
    throw refused(`a restore cannot fill a database of a server yet: ${intoFile}`);
  if (files !== '') throw refused(`a restore cannot put files into ${files} yet: ${instead}`);
  const display = new ProgressDisplay({ isSilent: false, firstLineMs: 10_000 });
  const onProgress = (progress: BackupProgress) => display.update(showBytes(progress));
  const report = await whileSignals('stopped; nothing was restored', (signal) =>
    restoreCatalog(file, data, { signal, onProgress }),
  ).finally(() => display.clear());
  const of = report.madeAt === null ? '' : ` of ${report.madeAt}`;
  print(`restored ${describeContent(report)}${of} into ${data}: ${report.bytes} bytes`);
  if (report.covers === null) print('the backup holds no covers and no archives');
  else if (report.archives === null) print('the backup holds no archives');
}
