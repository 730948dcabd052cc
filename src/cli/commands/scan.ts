import type { Command } from 'commander';
import type { LibraryRoot } from '../../core/library/library-file.ts';
import type { ScanProgress, ScanReport } from '../../core/library/scan/scan-report.ts';
import { usageError } from '../../core/shared/errors.ts';
import { scanWork } from '../../jobs/scan-work.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { withCatalog, withData, withSettings } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';
import { describeExtract, extractCovers } from './covers.ts';
import { describeEmptyScan, describeScan, describeScanProblems } from './describe-scan.ts';

interface ScanFlags {
  readonly hash: boolean;
  readonly jobs?: string;
  readonly full?: true;
  readonly verify?: true;
  readonly forget?: true;
  readonly takeOver?: true;
  readonly covers?: true;
  readonly json?: true;
}

/** Adds `catalog scan`: scans the library roots, as a job. */
export function addScan(program: Command): void {
  withSettings(withData(program.command('scan')), 'gamesRoots', 'videosRoots')
    .description('scan the library roots: identify the files first, then hash them')
    .option('--no-hash', 'only identify the files')
    .option(
      '--jobs <number>',
      'number of files to hash concurrently (default 2; more for fast disks)',
    )
    .option('--full', 'identify unchanged files again, too')
    .option('--verify', 'also unpack and hash files that were matched by a hash in their container')
    .option('--forget', 'also remove the records of files below roots that are missing or empty')
    .option(
      '--take-over',
      'also scan roots that belong to another host, and assign them to this host',
    )
    .option('--covers', 'then extract covers, like "catalog covers extract"')
    .option('--json', 'print the report as JSON')
    .action((flags: ScanFlags, command: Command) => scan(flags, command));
}

function scan(flags: ScanFlags, command: Command): Promise<void> {
  const jobs = Number(flags.jobs ?? 2);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) {
    throw usageError(`--jobs: "${flags.jobs}" is not a whole number from 1 to 64`);
  }
  return withCatalog(command, async (catalog) => {
    const report = await scanRoots(catalog, flags, jobs);
    if (!flags.json) printReport(report, flags, catalog.libraryRoots);
    const covers = flags.covers
      ? await extractCovers(catalog, { isJson: !!flags.json })
      : undefined;
    if (flags.json) printJson({ ...report, ...(covers && { covers }) });
    else if (covers) print(...describeExtract(covers));
    const isIncomplete = report.postponed.length > 0;
    const left = report.problems.filter(({ host }) => host !== undefined || !flags.forget);
    if (isIncomplete || left.length > 0) process.exitCode = 1;
  });
}

function scanRoots(catalog: Catalog, flags: ScanFlags, jobs: number): Promise<ScanReport> {
  const { hash, full, verify, forget, takeOver } = flags;
  const options = { hash, full, verify, forget, takeOver, jobs };
  return runJob(catalog, {
    options,
    work: scanWork(catalog, catalog.libraryRoots, options),
    display: new ProgressDisplay({ isSilent: flags.json === true, firstLineMs: 2_000 }),
    stopMessage: 'stopped; the next scan continues where this one stopped',
    show,
  });
}

function show({ phase, files, filesDone, bytes, bytesDone, file }: ScanProgress): ProgressView {
  const counts = [`${filesDone} of ${files} files`] as const;
  return { phase, done: bytesDone, total: bytes, areBytes: true, counts, name: file };
}

function printReport(report: ScanReport, flags: ScanFlags, roots: readonly LibraryRoot[]): void {
  const problems = describeScanProblems(report, { forgets: flags.forget === true });
  if (problems.length > 0) printError(...problems);
  print(...describeScan(report));
  const nothing = describeEmptyScan(report, roots);
  if (nothing !== null) print(nothing);
}
