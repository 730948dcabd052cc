import type { LibraryRoot } from '../core/library/library-file.ts';
import type { ScanProgress, ScanReport } from '../core/library/scan/scan-report.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/**
 * Options of a scan job, named as in the API. `verify`, `takeOver` and `jobs` are available only on
 * the command line.
 */
export interface ScanJobOptions {
  readonly hash?: boolean | undefined;
  readonly full?: boolean | undefined;
  readonly forget?: boolean | undefined;
  readonly verify?: boolean | undefined;
  readonly takeOver?: boolean | undefined;
  /** Number of files to hash concurrently. */
  readonly jobs?: number | undefined;
}

const usualJobs = 2;
/**
 * Maximum number of files of each kind that a job's report lists. The report's counts, such as
 * `damagedFiles`, include all files.
 */
const mostTroubles = 500;

export function scanWork(
  { scanner }: Pick<Catalog, 'scanner'>,
  roots: readonly LibraryRoot[],
  { hash = true, full = false, forget = false, ...others }: ScanJobOptions,
): Work<ScanProgress, ScanReport> {
  const { verify = false, takeOver, jobs = usualJobs } = others;
  const options = { hash, full, forget, verify, takeOver, jobs };
  return {
    run: (watch) => scanner.scan({ ...watch, ...options, roots, retriesWhenBusy: true }),
    progressOf: ({ phase, bytesDone, bytes, file }) => {
      return { phase, done: bytesDone, total: bytes, unit: 'bytes', name: file };
    },
    kept: ({ unreadable, damaged, postponed, ...report }) => ({
      ...report,
      unreadable: unreadable.slice(0, mostTroubles),
      unreadableFiles: unreadable.length,
      damaged: damaged.slice(0, mostTroubles),
      damagedFiles: damaged.length,
      postponed: postponed.slice(0, mostTroubles),
      postponedFiles: postponed.length,
    }),
  };
}
