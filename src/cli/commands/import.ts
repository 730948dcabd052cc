import type { Command } from 'commander';
import type { FileReport, ImportProgress } from '../../core/imports/imports.ts';
import { usageError } from '../../core/shared/errors.ts';
import { importWork } from '../../jobs/import-work.ts';
import { keepHeapSmall } from '../../memory/small-heap.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData, withSettings } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';
import { describeFile, describeImport } from './describe-import.ts';
import { importCatalogue } from './import-catalogue.ts';

interface ImportOptions {
  readonly system?: string;
  readonly source?: string;
  readonly dryRun?: true;
  readonly prune?: true;
  readonly download?: true;
  readonly json?: true;
}

/** Adds `catalog import`: imports DAT files into the catalogue, as a job. */
export function addImport(program: Command): void {
  withSettings(withData(program.command('import')), 'catalogueSource')
    .description(
      'import DAT files (Logiqx XML, clrmamepro, MAME software lists), each completely or not at all',
    )
    .argument('[path...]', 'DAT files, folders with DAT files, or zip files that contain them')
    .option('--system <name>', "games, videos or another system (default: by the DAT's header)")
    .option(
      '--source <name>',
      'source of the platform that the DAT belongs to (default: by its rows)',
    )
    .option('--dry-run', 'only report what would change')
    .option(
      '--prune',
      'remove releases that no source lists any more, unless they have edits, a cover or a file',
    )
    .option('--download', 'instead of paths, download the zip of --catalogue-source and import it')
    .option('--json', 'print the report as JSON')
    .action((paths: string[], options: ImportOptions, command: Command) =>
      importPaths(paths, options, command),
    );
}

function importPaths(paths: string[], options: ImportOptions, command: Command): Promise<void> {
  if (options.download) return importDownload(paths, options, command);
  if (paths.length === 0)
    command.error("error: missing required argument 'path' (or use --download)");
  for (const name of ['system', 'source'] as const) {
    if (options[name]?.trim() === '') throw usageError(`--${name}: must not be empty`);
  }
  keepHeapSmall();
  const isJson = options.json === true;
  const display = new ProgressDisplay({ isSilent: isJson });
  const onFile = (file: FileReport) => {
    display.clear();
    if (!isJson) printFile(file, options.dryRun === true);
  };
  return withCatalog(
    command,
    async (catalog) => {
      const { system, source, prune, dryRun = false } = options;
      const requested = { system, source, prune };
      const kind = dryRun ? 'import-preview' : 'import';
      const report = await runJob(catalog, {
        options: { paths, ...requested },
        work: importWork(catalog, kind, paths, { ...requested, onFile }, cliActor()),
        display,
        stopMessage: 'stopped; files imported so far are kept',
        show,
      });
      if (isJson) printJson(report);
      else if (report.files.length !== 1 || report.dryRun) print(describeImport(report));
      if (report.files.some(hasOmissions)) process.exitCode = 1;
    },
    { createsCatalog: true },
  );
}

function importDownload(
  paths: readonly string[],
  { json, ...others }: ImportOptions,
  command: Command,
): Promise<void> {
  const { system, source, dryRun, prune } = others;
  const given = { 'a path': paths[0], system, source, 'dry-run': dryRun, prune };
  const [other] = Object.entries(given).filter(([, value]) => value !== undefined);
  if (other !== undefined) throw usageError(`--download: cannot be used with ${other[0]}`);
  return importCatalogue(command, json === true);
}

function show({
  file,
  index,
  count,
  bytesRead,
  bytes,
  written,
  releases,
}: ImportProgress): ProgressView {
  const ofFiles = `file ${index} of ${count}`;
  if (releases === 0) {
    return { phase: '', done: bytesRead, total: bytes, counts: [ofFiles], name: file };
  }
  const counts = [ofFiles, `release ${written} of ${releases}`] as const;
  return { phase: '', done: written, total: releases, counts, name: file };
}

function printFile(report: FileReport, dryRun: boolean): void {
  if (isRefused(report)) printError(`refused  ${report.refused}`);
  else print(...describeFile(report, { dryRun }));
}

/**
 * True if the import refused something that the user should check: a file, or rows that are too
 * long. Rows without data for releases do not count.
 */
function hasOmissions(report: FileReport): boolean {
  return isRefused(report) || report.counts.tooLongRows > 0;
}

function isRefused(report: FileReport): report is Extract<FileReport, { refused: string }> {
  return 'refused' in report;
}
