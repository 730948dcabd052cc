import type { Command } from 'commander';
import type { CoverExtractReport } from '../core/covers/cover-extractor.ts';
import type { CoverFetchReport } from '../core/covers/cover-fetcher.ts';
import type { CoverProgress } from '../core/covers/cover-progress.ts';
import { refused } from '../core/shared/errors.ts';
import type { Catalog } from '../wire.ts';
import { cliActor } from './actor.ts';
import { CoverDisplay } from './cover-display.ts';
import { withCatalog, withData } from './options.ts';

interface CoverFlags {
  readonly system?: string;
  readonly missing?: true;
  readonly removed?: true;
  readonly json?: true;
}

/** `catalog covers ...`: covers from a source and from discs, and bundles of them. */
export function addCovers(program: Command): void {
  const covers = program.command('covers').description('fetch, extract and bundle covers');
  withSystem(withData(covers.command('fetch')))
    .description('fetch covers that are missing, or were only taken from a disc, from the source')
    .option('--cover-source <url>', 'server that covers come from (CATALOG_COVER_SOURCE)')
    .option('--missing', 'leave covers that were taken from a disc alone')
    .option('--removed', 'also fetch covers that somebody removed')
    .action(fetchCovers);
  withData(covers.command('extract'))
    .description('take missing covers out of the PSP and UMD Video images of the library')
    .option('--games-root <dir...>', 'folder of game images (CATALOG_GAMES_ROOT)')
    .option('--videos-root <dir...>', 'folder of video images (CATALOG_VIDEOS_ROOT)')
    .option('--json', 'print the report as JSON')
    .action(extractCovers);
  withSystem(withData(covers.command('bundle')))
    .description('write covers/NAME.zip: the covers by release id, and manifest.json')
    .argument('<name>', 'letters, digits, "_", "." and "-"')
    .action(bundleCovers);
}

function withSystem(command: Command): Command {
  return command
    .option('--system <name>', 'only releases of games, videos or another system')
    .option('--json', 'print the report as JSON');
}

function fetchCovers(flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const { system } = flags;
    const onlyMissing = flags.missing === true;
    const evenIfRemoved = flags.removed === true;
    await asJob(catalog, 'covers-fetch', flags, {
      work: (options) =>
        catalog.coverFetcher.run({ ...options, system, onlyMissing, evenIfRemoved }),
      describe: describeFetch,
    });
  });
}

function extractCovers(flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    await extractFromLibrary(catalog, flags);
  });
}

/** Also what `catalog scan --covers` does, which prints the JSON of both itself. */
export function extractFromLibrary(
  catalog: Catalog,
  flags: CoverFlags,
  { isPart = false } = {},
): Promise<CoverExtractReport> {
  const roots = catalog.libraryRoots.map((root) => root.path);
  return asJob(catalog, 'covers-extract', flags, {
    work: (options) => catalog.coverExtractor.run({ ...options, roots }, cliActor()),
    describe: describeExtract,
    isSilent: isPart && flags.json === true,
  });
}

function bundleCovers(name: string, flags: CoverFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const { system } = flags;
    await asJob(catalog, 'covers-bundle', flags, {
      work: (options) => catalog.coverBundler.write(name, { ...options, system }, cliActor()),
      describe: ({ file, covers, size }) => [`wrote ${file}: ${covers} covers, ${size} bytes`],
    });
  });
}

interface CoverWork<Report> {
  work(options: {
    signal: AbortSignal;
    onProgress: (progress: CoverProgress) => void;
  }): Promise<Report>;
  describe(report: Report): string[];
  /** Prints no report. */
  readonly isSilent?: boolean;
}

/** Runs work as a job that Ctrl-C stops. */
async function asJob<Report extends object>(
  catalog: Catalog,
  kind: string,
  flags: CoverFlags,
  { work, describe, isSilent = false }: CoverWork<Report>,
): Promise<Report> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(refused('stopped; what was done so far is kept'));
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const display = new CoverDisplay(flags.json === true);
  try {
    const report = await catalog.jobs.run(kind, cliActor(), stop.signal, (job) =>
      work({
        signal: stop.signal,
        onProgress(progress) {
          job.progress(progress);
          display.progress(progress);
        },
      }),
    );
    if (!isSilent) display.end(report, describe(report));
    return report;
  } finally {
    display.stop();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function describeFetch(report: CoverFetchReport): string[] {
  const { releases, stored, missing, remembered, removed, failed, lastFailure } = report;
  const why = lastFailure === null ? '' : ` (${lastFailure})`;
  return [
    `${releases} releases: ${stored} covers fetched, ${missing} not there, ` +
      `${remembered} known to be not there, ${ofRemoved(removed)}${failed} failed${why}`,
  ];
}

function describeExtract(report: CoverExtractReport): string[] {
  const { images, stored, without, removed, unreadable } = report;
  return [
    ...unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    `${images} images: ${stored} covers extracted, ${without} without a picture, ` +
      `${ofRemoved(removed)}${unreadable.length} unreadable`,
  ];
}

function ofRemoved(count: number): string {
  return count === 0 ? '' : `${count} left as they were removed by hand, `;
}
