import type { Command } from 'commander';
import type { ScanReport } from '../core/library/scan-report.ts';
import { refused } from '../core/shared/errors.ts';
import { cliActor } from './actor.ts';
import { extractFromLibrary } from './covers.ts';
import { withCatalog, withData } from './options.ts';
import { ScanDisplay } from './scan-display.ts';

interface ScanFlags {
  readonly hash: boolean;
  readonly jobs?: string;
  readonly full?: true;
  readonly forget?: true;
  readonly covers?: true;
  readonly json?: true;
}

/** `catalog scan`: what lies below the library roots, as a job. */
export function addScan(program: Command): void {
  withData(program.command('scan'))
    .description(
      'look at the files below the library roots: first what they are, then their hashes',
    )
    .option('--games-root <dir...>', 'folder of game images (CATALOG_GAMES_ROOT)')
    .option('--videos-root <dir...>', 'folder of video images (CATALOG_VIDEOS_ROOT)')
    .option('--no-hash', 'only the first pass')
    .option('--jobs <number>', 'files hashed at a time (default 2; more for fast disks)')
    .option('--full', 'look at unchanged files again')
    .option('--forget', 'also forget what lay below roots that are missing or empty')
    .option('--covers', 'afterwards extract covers, as catalog covers extract')
    .option('--json', 'print the report as JSON')
    .action((flags: ScanFlags, command: Command) => scan(flags, command));
}

function scan(flags: ScanFlags, command: Command): Promise<void> {
  const jobs = Number(flags.jobs ?? 2);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) {
    throw refused(`--jobs: "${flags.jobs}" is not a whole number from 1 to 64`);
  }
  return withCatalog(
    command,
    async (catalog) => {
      const stop = new AbortController();
      const onSignal = () =>
        stop.abort(refused('stopped; the next scan goes on where this one was'));
      process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
      const display = new ScanDisplay({
        json: flags.json === true,
        forgets: flags.forget === true,
      });
      try {
        const report = await catalog.jobs.run('scan', cliActor(), stop.signal, (job) =>
          catalog.scanner.scan({
            roots: catalog.libraryRoots,
            hash: flags.hash,
            full: flags.full === true,
            forget: flags.forget === true,
            jobs,
            retriesWhenBusy: true,
            signal: stop.signal,
            onProgress(progress) {
              job.progress(progress);
              display.progress(progress);
            },
          }),
        );
        if (!flags.json) display.end(report);
        const part = { isPart: true };
        const covers = flags.covers && (await extractFromLibrary(catalog, flags, part));
        const whole = { ...report, ...(covers ? { covers } : {}) };
        if (flags.json) display.end(whole);
        if (failed(report, flags)) process.exitCode = 1;
      } finally {
        display.stop();
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      }
    },
    { begins: true },
  );
}

function failed(report: ScanReport, flags: ScanFlags): boolean {
  return report.problems.length > 0 && !flags.forget;
}
