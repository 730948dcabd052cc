import type { JobOptionsOf } from '../core/jobs/job-kind.ts';
import type { LibraryRoot } from '../core/library/library-file.ts';
import { completeFileTest } from '../core/library/scan/growing-files.ts';
import type { ScanProgress, ScanReport } from '../core/library/scan/scan-report.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

const defaultJobs = 2;

export function scanWork(
  { scanner }: Pick<Catalog, 'scanner'>,
  roots: readonly LibraryRoot[],
  { hash = true, full = false, forget = false, ...others }: JobOptionsOf<'scan'>,
): Work<'scan', ScanProgress, ScanReport> {
  const { verify = false, takeOver, automatic, jobs = defaultJobs } = others;
  const isComplete = automatic ? completeFileTest(Date.now()) : undefined;
  const options = { hash, full, forget, verify, takeOver, jobs, isComplete };
  return {
    kind: 'scan',
    run: (watch) => scanner.scan({ ...watch, ...options, roots, retriesWhenBusy: true }),
    progressOf: ({ phase, bytesDone, bytes, file }) => {
      return { phase, done: bytesDone, total: bytes, unit: 'bytes', name: file };
    },
  };
}
