import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { FileReport, ImportReport } from '../core/imports/imports.ts';
import type { ImportFile } from '../core/imports/ports.ts';
import { refused } from '../core/shared/errors.ts';
import { cliActor } from './actor.ts';
import { ImportDisplay } from './import-display.ts';
import { withCatalog, withData } from './options.ts';

interface ImportOptions {
  readonly system?: string;
  readonly json?: true;
}

/** `catalog import`: DAT files into the catalogue, as a job. */
export function addImport(program: Command): void {
  withData(program.command('import'))
    .description('import DAT files (Logiqx XML or clrmamepro), each whole or not at all')
    .argument('<path...>', 'DAT files')
    .option('--system <name>', "games, videos or another system (default: by the DAT's header)")
    .option('--json', 'print the report as JSON')
    .action((paths: string[], options: ImportOptions, command: Command) =>
      withCatalog(command, async (catalog) => {
        if (options.system?.trim() === '') throw refused('--system: it is empty');
        const files = await Promise.all(paths.map(importFile));
        const stop = new AbortController();
        const onSignal = () => stop.abort(refused('stopped; files imported so far are kept'));
        process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
        const display = new ImportDisplay(options.json === true);
        try {
          const actor = cliActor();
          const report = await catalog.jobs.run('import', actor, stop.signal, (job) =>
            catalog.imports.importFiles(
              files,
              {
                system: options.system,
                signal: stop.signal,
                onProgress(progress) {
                  job.progress(progress);
                  display.progress(progress);
                },
                onFile: (file) => display.file(file),
              },
              actor,
            ),
          );
          display.end(report);
          if (someRefused(report)) process.exitCode = 1;
        } finally {
          display.stop();
          process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
        }
      }),
    );
}

async function importFile(path: string): Promise<ImportFile> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0, // reading it tells what is wrong
  );
  return { path, size, read: () => createReadStream(path) };
}

function someRefused(report: ImportReport): boolean {
  return report.files.some((file: FileReport) => 'refused' in file);
}
