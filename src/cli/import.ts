import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { ImportReport } from '../core/imports/imports.ts';
import { refused } from '../core/shared/errors.ts';
import { cliActor } from './actor.ts';
import { ImportDisplay } from './import-display.ts';
import { withCatalog, withData } from './options.ts';

interface ImportOptions {
  readonly system?: string;
  readonly source?: string;
  readonly dryRun?: true;
  readonly prune?: true;
  readonly json?: true;
}

/** `catalog import`: DAT files into the catalogue, as a job. */
export function addImport(program: Command): void {
  withData(program.command('import'))
    .description(
      'import DAT files (Logiqx XML, clrmamepro, MAME software lists), each whole or not at all',
    )
    .argument('<path...>', 'files, folders of them, zip files holding them')
    .option('--system <name>', "games, videos or another system (default: by the DAT's header)")
    .option('--source <name>', 'which source of its platform the DAT is (default: by its rows)')
    .option('--dry-run', 'only tell what would happen')
    .option(
      '--prune',
      'remove releases that no source lists any more and nobody edited, gave a cover or has a file of',
    )
    .option('--json', 'print the report as JSON')
    .action((paths: string[], options: ImportOptions, command: Command) =>
      importPaths(paths, options, command),
    );
}

function importPaths(paths: string[], options: ImportOptions, command: Command): Promise<void> {
  for (const name of ['system', 'source'] as const) {
    if (options[name]?.trim() === '') throw refused(`--${name}: it is empty`);
  }
  // Rows are short-lived garbage, for which V8 would take 100 MB more than is in use.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  return withCatalog(
    command,
    async (catalog) => {
      const stop = new AbortController();
      const onSignal = () => stop.abort(refused('stopped; files imported so far are kept'));
      process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
      const display = new ImportDisplay(options.json === true);
      const actor = cliActor();
      try {
        const report = await catalog.jobs.run('import', actor, stop.signal, (job) =>
          catalog.imports.importPaths(
            paths,
            {
              ...options,
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
    },
    { begins: true },
  );
}

function someRefused(report: ImportReport): boolean {
  return report.files.some((file) => 'refused' in file);
}
