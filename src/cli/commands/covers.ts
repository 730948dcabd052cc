import type { Command } from 'commander';
import type { CoverFetchReport } from '../../core/covers/bulk-cover-fetcher.ts';
import type { CoverExtractReport } from '../../core/covers/cover-extractor.ts';
import type { CoverProgress } from '../../core/covers/cover-progress.ts';
import type { JobKind, JobOptionsOf } from '../../core/jobs/job-kind.ts';
import { bundleWork, extractWork, fetchWork } from '../../jobs/cover-work.ts';
import type { BaseWork } from '../../jobs/work.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData, withSettings } from '../options.ts';
import { print, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import { runJob } from '../run-job.ts';

interface CoverFlags {
  readonly system?: string;
  readonly missing?: true;
  readonly removed?: true;
  readonly owned?: true;
  readonly json?: true;
}

/** Adds `catalog covers ...`: fetches covers, extracts them from discs, and bundles them. */
export function addCovers(program: Command): void {
  const covers = program.command('covers').description('fetch, extract and bundle covers');
  withSettings(withSystem(withData(covers.command('fetch'))), 'coverSource')
    .description(
      'fetch covers from the cover source that are missing or were only extracted from a disc',
    )
    .option('--missing', 'only fetch missing covers, keep those that were extracted from a disc')
    .option('--removed', 'also fetch covers that a user removed')
    .option('--owned', 'only fetch covers of releases of which the library has a file')
    .action(fetch);
  withSettings(withData(covers.command('extract')), 'gamesRoots', 'videosRoots')
    .description('extract missing covers from the PSP and UMD Video images of the library')
    .option('--json', 'print the report as JSON')
    .action(extract);
  withSystem(withData(covers.command('bundle')))
    .description('write covers/NAME.zip: the covers, named by release id, and a manifest.json')
    .argument('<name>', 'letters, digits, "_", "." and "-"; ".zip" at the end is optional')
    .action(bundle);
}

function withSystem(command: Command): Command {
  return command
    .option(
      '--system <name>',
      'only releases of this system: games, videos or another one (default: all)',
    )
    .option('--json', 'print the report as JSON');
}

function fetch(flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const { json: isJson = false, system, missing, removed, owned } = flags;
    const options = { system, missing, removed, owned };
    const report = await runCoverJob(catalog, {
      options,
      work: fetchWork(catalog, options),
      what: 'releases',
      isJson,
    });
    if (isJson) printJson(report);
    else print(describeFetch(report));
  });
}

function extract(flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const report = await extractCovers(catalog, { isJson: flags.json === true });
    if (flags.json) printJson(report);
    else print(...describeExtract(report));
  });
}

/** Extracts covers from disc images, as a job. Also used by `catalog scan --covers`. */
export function extractCovers(
  catalog: Catalog,
  { isJson }: { isJson: boolean },
): Promise<CoverExtractReport> {
  return runCoverJob(catalog, {
    options: {},
    work: extractWork(catalog, catalog.libraryRoots, cliActor()),
    what: 'images',
    isJson,
  });
}

function bundle(name: string, flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const { json: isJson = false, system } = flags;
    const options = { name, system };
    const report = await runCoverJob(catalog, {
      options,
      work: bundleWork(catalog, options, cliActor()),
      what: 'covers',
      isJson,
    });
    const { file, covers, size } = report;
    if (isJson) printJson(report);
    else print(`wrote ${file}: ${covers} covers, ${size} bytes`);
  });
}

interface CoverJob<Kind extends JobKind, Report> {
  readonly work: BaseWork<Kind, CoverProgress, Report>;
  readonly options: Partial<JobOptionsOf<Kind>>;
  /** Name of the items that the progress counts, such as `covers`. */
  readonly what: string;
  readonly isJson: boolean;
}

function runCoverJob<Kind extends JobKind, Report>(
  catalog: Catalog,
  { work, options, what, isJson }: CoverJob<Kind, Report>,
): Promise<Report> {
  return runJob(catalog, {
    work,
    options,
    display: new ProgressDisplay({ isSilent: isJson, firstLineMs: 10_000 }),
    stopMessage: 'stopped; covers that were stored so far are kept',
    show: ({ done, total, name }) => ({
      phase: '',
      done,
      total,
      counts: [`${done} of ${total} ${what}`],
      name,
    }),
  });
}

function describeFetch(report: CoverFetchReport): string {
  const { releases, stored, missing, remembered, removed, failed, lastFailure } = report;
  const why = lastFailure === null ? '' : ` (${lastFailure})`;
  return (
    `${releases} releases: ${stored} covers fetched, ${missing} not found, ` +
    `${remembered} skipped (not found earlier), ${ofRemoved(removed)}${failed} failed${why}`
  );
}

export function describeExtract(report: CoverExtractReport): string[] {
  const { images, stored, without, removed, unreadable } = report;
  return [
    ...unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    `${images} images: ${stored} covers extracted, ${without} without a picture, ` +
      `${ofRemoved(removed)}${unreadable.length} unreadable`,
  ];
}

function ofRemoved(count: number): string {
  return count === 0 ? '' : `${count} skipped (removed by a user), `;
}
