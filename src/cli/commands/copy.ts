import type { Command } from 'commander';
import type {
  CopiedFilesReport,
  CopyProgress,
  CopyReport,
} from '../../core/backups/copies/copy-report.ts';
import { withCatalog, withData, withSettings } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { withStopSignals } from '../with-stop-signals.ts';

/**
 * Adds `catalog copy`: copies a catalogue to another location. The copy may use another database
 * engine.
 */
export function addCopy(program: Command): void {
  withSettings(withData(program.command('copy')), 'copyTo', 'copyFilesTo')
    .description(
      'copy the catalogue to another database, and its files to another folder or bucket',
    )
    .option('--json', 'print the report as JSON')
    .action(copy);
}

const stopMessage =
  'stopped; there is no usable copy: run it again (files that were copied are skipped)';

function copy({ json: isJson = false }: { json?: boolean }, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const display = new ProgressDisplay({ isSilent: isJson, firstLineMs: 10_000 });
    const onProgress = (progress: CopyProgress) => display.update(showCopy(progress));
    const report = await withStopSignals(stopMessage, (signal) =>
      catalog.copy({ signal, onProgress }),
    ).finally(() => display.clear());
    if (isJson) printJson(report);
    else printReport(report);
    if ((report.files?.damaged.length ?? 0) > 0) process.exitCode = 1;
  });
}

/** Converts the progress of a copy to the form that the display shows. */
export function showCopy({ step, done, total, name }: CopyProgress): ProgressView {
  if (step === 'files') {
    return { phase: step, done, total, areBytes: true, counts: [name], name: '' };
  }
  const unit = step === 'indexing' ? 'steps' : 'rows';
  return { phase: step, done, total, counts: [`${done} of ${total} ${unit}`], name };
}

function printReport({ database, rows, files, uploads, dats }: CopyReport): void {
  print(`copied ${rows} rows to ${database} and compared each of them`);
  if (files !== null) print(filesLine(files));
  else
    print(
      'the files were not copied and are shared: serve only one catalogue, each deletes what it replaces',
    );
  for (const path of files?.damaged ?? []) {
    printError(`${path}: differs from its record; the copy contains it as it is now`);
  }
  if (uploads > 0) print(`${uploads} unfinished uploads were not copied`);
  if (dats > 0) print(`${dats} uploaded DATs were not copied: upload them again to import them`);
}

function filesLine({ place, covers, archives, bytes, skipped }: CopiedFilesReport): string {
  const there = skipped === 0 ? '' : `, ${skipped} of these files were there already`;
  return `copied ${covers} covers and ${archives} archives to ${place}: ${bytes} bytes${there}`;
}
