import type { Command } from 'commander';
import type {
  CopiedFilesReport,
  CopyProgress,
  CopyReport,
} from '../core/backups/copies/copy-report.ts';
import { withCatalog, withData, withSettings } from './options.ts';
import { print, printError, printJson } from './output.ts';
import { ProgressDisplay } from './progress-display.ts';
import type { Shown } from './progress-line.ts';
import { whileSignals } from './while-signals.ts';

/**
 * Adds `catalog copy`: copies a catalogue to another location, where it may use another database
 * engine.
 */
export function addCopy(program: Command): void {
  withSettings(withData(program.command('copy')), 'copyTo', 'copyFilesTo')
    .description('copy the catalogue into another database, and its files to another place')
    .option('--json', 'print the report as JSON')
    .action(copy);
}

const whenStopped = 'stopped; there is no copy, and the next one leaves files that are there';

function copy({ json: isJson = false }: { json?: boolean }, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const display = new ProgressDisplay({ isSilent: isJson, firstLineMs: 10_000 });
    const onProgress = (progress: CopyProgress) => display.update(showCopy(progress));
    const report = await whileSignals(whenStopped, (signal) =>
      catalog.copy({ signal, onProgress }),
    ).finally(() => display.clear());
    if (isJson) printJson(report);
    else printReport(report);
    if ((report.files?.damaged.length ?? 0) > 0) process.exitCode = 1;
  });
}

/** Converts the progress of a copy to the form that the display shows. */
export function showCopy({ step, done, total, name }: CopyProgress): Shown {
  if (step === 'files') {
    return { phase: step, done, total, areBytes: true, counts: [name], name: '' };
  }
  const unit = step === 'indexing' ? 'steps' : 'rows';
  return { phase: step, done, total, counts: [`${done} of ${total} ${unit}`], name };
}

function printReport({ database, rows, files, uploads }: CopyReport): void {
  print(`copied ${rows} rows to ${database}, and compared each`);
  if (files !== null) print(filesLine(files));
  else
    print('the files stay where they are, for both: serve only one, each deletes what it replaces');
  for (const path of files?.damaged ?? []) {
    printError(`${path}: not as it was recorded; the copy has it as it is`);
  }
  if (uploads > 0) print(`${uploads} uploads that have not ended stay behind`);
}

function filesLine({ place, covers, archives, bytes, skipped }: CopiedFilesReport): string {
  const there = skipped === 0 ? '' : `, ${skipped} of which were there`;
  return `copied ${covers} covers and ${archives} archives to ${place}: ${bytes} bytes${there}`;
}
