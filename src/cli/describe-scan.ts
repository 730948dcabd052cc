import { type LibraryRoot, waysOfMatching } from '../core/library/library-file.ts';
import type { RootProblem, ScanReport } from '../core/library/scan-report.ts';

/**
 * Returns lines about the library and the scan. Lines about sets and about lost or changed matches
 * are added only if there are any.
 */
export function describeScan(report: ScanReport): string[] {
  const recognised = waysOfMatching
    .filter((method) => report.recognised[method] > 0)
    .map((method) => `${report.recognised[method]} by ${method === 'manual' ? 'hand' : method}`);
  const tied = report.tied > 0 ? ` (${report.tied} left to several releases)` : '';
  const inSets =
    report.inSets > 0 ? [`${report.inSets} of them together with the others of their disc`] : [];
  return [
    `${report.files} ${report.files === 1 ? 'file' : 'files'}: ${recognised.join(', ') || 'none recognised'}, ${report.unknown} unknown${tied}`,
    `${report.looked} looked at, ${report.moved} moved, ${report.gone} gone, ` +
      `${report.unreadable.length} unreadable, ${report.damaged.length} damaged, ${report.hashed} hashed`,
    ...inSets,
    ...(report.matchesLost + report.matchesChanged > 0
      ? [`of known matches ${report.matchesLost} are gone, ${report.matchesChanged} changed`]
      : []),
  ];
}

/** Returns one line for each problem of a root or file. */
export function describeTroubles(report: ScanReport, { forgets }: { forgets: boolean }): string[] {
  return [
    ...report.problems.map((problem) => describeProblem(problem, forgets)),
    ...report.unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    ...report.damaged.map(({ path, reason }) => `${path}: damaged: ${reason}`),
    ...report.postponed.map(({ path, reason }) => `${path}: left for the next scan: ${reason}`),
  ];
}

function describeProblem({ root, reason, known, host }: RootProblem, forgets: boolean): string {
  const files = known === 1 ? '1 file' : `${known} files`;
  const forgotten = `${files} known below it ${known === 1 ? 'is' : 'are'} forgotten`;
  const kept = `${files} known below it stay${known === 1 ? 's' : ''} (--forget removes)`;
  const other = `${files} known below it stay${known === 1 ? 's' : ''} (--take-over makes it this host's)`;
  const own = known === 0 ? 'check the path' : forgets ? forgotten : kept;
  const next = host === undefined ? own : other;
  return `catalog: library root ${root}: ${reason}; ${next}`;
}

/** Returns a line that names the scanned folders if a scan found no files; null otherwise. */
export function describeNothing(report: ScanReport, roots: readonly LibraryRoot[]): string | null {
  if (report.files > 0 || report.problems.length > 0) return null;
  const places = roots.map(({ path }) => path).join(' and ');
  return `looked below ${places}; --games-root and --videos-root name other folders`;
}
