import { type LibraryRoot, matchMethods } from '../../core/library/library-file.ts';
import type { RootProblem, ScanReport } from '../../core/library/scan/scan-report.ts';

/**
 * Returns the summary of a scan as lines. Sets, and lost or changed matches, have a line only if
 * there are any.
 */
export function describeScan(report: ScanReport): string[] {
  const recognised = matchMethods
    .filter((method) => report.recognised[method] > 0)
    .map((method) => `${report.recognised[method]} by ${method === 'manual' ? 'hand' : method}`);
  const tied = report.tied > 0 ? ` (${report.tied} match several releases)` : '';
  const inSets =
    report.inSets > 0
      ? [`${report.inSets} of them matched together with the other files of their disc`]
      : [];
  return [
    `${report.files} ${report.files === 1 ? 'file' : 'files'}: ${recognised.join(', ') || 'none recognised'}, ${report.unknown} unknown${tied}`,
    `${report.looked} examined, ${report.moved} moved, ${report.gone} gone, ` +
      `${report.unreadable.length} unreadable, ${report.damaged.length} damaged, ${report.hashed} hashed`,
    ...inSets,
    ...(report.matchesLost + report.matchesChanged > 0
      ? [`${report.matchesLost} earlier matches lost, ${report.matchesChanged} changed`]
      : []),
  ];
}

/** Returns one line for each problem of a root or file. */
export function describeScanProblems(
  report: ScanReport,
  { forgets }: { forgets: boolean },
): string[] {
  return [
    ...report.problems.map((problem) => describeProblem(problem, forgets)),
    ...report.unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    ...report.damaged.map(({ path, reason }) => `${path}: damaged: ${reason}`),
    ...report.postponed.map(({ path, reason }) => `${path}: postponed to the next scan: ${reason}`),
  ];
}

function describeProblem({ root, reason, known, host }: RootProblem, forgets: boolean): string {
  const files = known === 1 ? '1 file' : `${known} files`;
  const forgotten = `the records of ${files} below it were removed`;
  const kept = `the records of ${files} below it are kept (--forget removes them)`;
  const other = `the records of ${files} below it are kept (--take-over assigns the root to this host)`;
  const own = known === 0 ? 'check the path' : forgets ? forgotten : kept;
  const next = host === undefined ? own : other;
  return `catalog: library root ${root}: ${reason}; ${next}`;
}

/** Returns a line that names the scanned folders if a scan found no files; null otherwise. */
export function describeEmptyScan(
  report: ScanReport,
  roots: readonly LibraryRoot[],
): string | null {
  if (report.files > 0 || report.problems.length > 0) return null;
  const places = roots.map(({ path }) => path).join(' and ');
  return `no files found below ${places}; to scan other folders, use --games-root and --videos-root`;
}
