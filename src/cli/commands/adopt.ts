import type { Command } from 'commander';
import { refused } from '../../core/shared/errors.ts';
import type { AdoptProgress, AdoptReport } from '../../core/store/adoption.ts';
import { adoptWork } from '../../jobs/adopt-work.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';

interface AdoptFlags {
  readonly replace?: true;
  readonly json?: true;
}

/** Adds `catalog adopt`: a job that adopts archives that were manually added to the bucket. */
export function addAdopt(program: Command): void {
  withData(program.command('adopt'))
    .description(
      'adopt archives that were manually added to the bucket, below adopt/games or adopt/videos',
    )
    .option('--replace', 'replace archives that have the same name')
    .option('--json', 'print the report as JSON')
    .action(adopt);
}

function adopt({ replace, json }: AdoptFlags, command: Command): Promise<void> {
  return withCatalog(command, async (catalog) => {
    const { adopter } = catalog;
    if (adopter === null) throw refused(nothingToAdopt);
    const replaces = replace === true;
    const report = await runJob(catalog, {
      options: { replace: replaces },
      work: adoptWork(adopter, { replaces }, cliActor()),
      display: new ProgressDisplay({ isSilent: json === true, firstLineMs: 10_000 }),
      stopMessage:
        'stopped; adopted archives are kept, the others stay where they were: run it again',
      show,
    });
    if (json) printJson(report);
    else printReport(report);
    if (report.refused.length > 0) process.exitCode = 1;
  });
}

const nothingToAdopt =
  'there is nothing to adopt: this catalogue stores its files in the data folder, where files added to store/games, store/videos or covers are used at once';

function show({ files, bytes, total, name }: AdoptProgress): ProgressView {
  return { phase: '', done: bytes, total, areBytes: true, counts: [`${files} files`], name };
}

function printReport({ place, files, bytes, refused: refusals }: AdoptReport): void {
  if (refusals.length > 0) {
    printError(...refusals.map(({ path, reason }) => `${path}: refused: ${reason}`));
  }
  if (files + refusals.length === 0)
    print(`there are no files in ${place}/games or ${place}/videos`);
  else {
    const adopted = files === 1 ? '1 file' : `${files} files`;
    print(`${adopted} adopted, ${bytes} bytes, ${refusals.length} refused`);
  }
}
