import type { Command } from 'commander';
import type {
  CatalogueProgress,
  CatalogueReport,
} from '../../core/imports/catalogue/catalogue-fetcher.ts';
import { catalogueWork } from '../../jobs/catalogue-work.ts';
import { cliActor } from '../actor.ts';
import { withCatalog } from '../options.ts';
import { print, printError, printJson } from '../output/output.ts';
import { ProgressDisplay } from '../output/progress-display.ts';
import type { ProgressView } from '../output/progress-line.ts';
import { runJob } from '../run-job.ts';

/** Downloads the zip of `--catalogue-source` and imports its DATs, as a job. */
export function importCatalogue(command: Command, isJson: boolean): Promise<void> {
  return withCatalog(
    command,
    async (catalog) => {
      const report = await runJob(catalog, {
        options: {},
        work: catalogueWork(catalog, cliActor()),
        display: new ProgressDisplay({ isSilent: isJson }),
        stopMessage: 'stopped; files imported so far are kept',
        show,
      });
      if (isJson) printJson(report);
      else printReport(report);
      if (report.refused.length > 0) process.exitCode = 1;
    },
    { createsCatalog: true },
  );
}

function show({ phase, done, total, name }: CatalogueProgress): ProgressView {
  const counts = [`${(done / 1_048_576).toFixed(1)} MiB`] as const;
  const words = phase === 'import' ? 'importing' : 'downloading';
  return { phase: words, done, total, areBytes: true, counts, name };
}

function printReport({ refused, files, ...counts }: CatalogueReport): void {
  for (const { path, reason } of refused) printError(`refused  ${path}: ${reason}`);
  print(
    `${files} files imported, ${refused.length} refused: ${counts.new} releases new, ` +
      `${counts.changed} changed, ${counts.filled} with new metadata`,
  );
}
