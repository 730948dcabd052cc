import type { Command } from 'commander';
import { refused, usageError } from '../../core/shared/errors.ts';
import type { AdoptProgress, AdoptReport } from '../../core/store/adoption.ts';
import { adoptWork, recoverWork } from '../../jobs/adopt-work.ts';
import type { Catalog } from '../../wire/catalog.ts';
import { cliActor } from '../actor.ts';
import { withCatalog, withData } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';

interface AdoptFlags {
  readonly replace?: true;
  readonly recover?: true;
  readonly json?: true;
}

/** Adds `catalog adopt`: a job that adopts archives that were manually added to the bucket. */
export function addAdopt(program: Command): void {
  withData(program.command('adopt'))
    .description(
      'adopt archives that were manually added to the bucket, below adopt/games or adopt/videos',
    )
    .option('--replace', 'replace archives that have the same name')
    .option(
      '--recover',
      'instead, add the archives that are in the bucket but not in the catalogue, which may be new',
    )
    .option('--json', 'print the report as JSON')
    .action(adopt);
}

async function adopt(flags: AdoptFlags, command: Command): Promise<void> {
  const { replace, recover, json } = flags;
  if (replace && recover) throw usageError('--recover: cannot be used with --replace');
  const work = async (catalog: Catalog) => {
    const report = await runJob(catalog, {
      options: recover ? { recover } : { replace: replace === true },
      work: workOf(catalog, flags),
      display: new ProgressDisplay({ isSilent: json === true, firstLineMs: 10_000 }),
      stopMessage:
        'stopped; adopted archives are kept, the others stay where they were: run it again',
      show,
    });
    if (json) printJson(report);
    else printReport(report, recover === true);
    if (report.refused.length > 0) process.exitCode = 1;
  };
  await withCatalog(command, work, { createsCatalog: recover === true });
}

function workOf({ adopter, recoverer }: Catalog, { replace, recover }: AdoptFlags) {
  if (adopter === null || recoverer === null) throw refused(nothingToAdopt);
  if (recover) return recoverWork(recoverer, cliActor());
  return adoptWork(adopter, { replaces: replace === true }, cliActor());
}

const nothingToAdopt =
  'there is nothing to adopt: this catalogue stores its files in the data folder, where files added to store/games, store/videos or covers are used at once';

function show({ files, bytes, total, name }: AdoptProgress): ProgressView {
  return { phase: '', done: bytes, total, areBytes: true, counts: [`${files} files`], name };
}

function printReport(report: AdoptReport, isRecovery: boolean): void {
  const { place, files, bytes, refused: refusals } = report;
  if (refusals.length > 0) {
    printError(...refusals.map(({ path, reason }) => `${path}: refused: ${reason}`));
  }
  if (files + refusals.length === 0 && isRecovery)
    print(`${place} has no archives that the catalogue does not have`);
  else if (files + refusals.length === 0)
    print(`there are no files in ${place}/games or ${place}/videos`);
  else {
    const adopted = files === 1 ? '1 file' : `${files} files`;
    print(`${adopted} adopted, ${bytes} bytes, ${refusals.length} refused`);
  }
}
