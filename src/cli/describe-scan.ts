import { methods } from '../core/library/library-file.ts';
import type { ScanReport } from '../core/library/scan-report.ts';

/** What is in the library and what the scan did, in two lines; a third where matches of before did not stay. */
export function describeScan(report: ScanReport): string[] {
  const recognised = methods
    .filter((method) => report.recognised[method] > 0)
    .map((method) => `${report.recognised[method]} by ${method}`);
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

/** Roots and files that something is wrong with, a line each. */
export function describeTroubles(report: ScanReport, { forgets }: { forgets: boolean }): string[] {
  const consequence = forgets
    ? 'what was known below it is forgotten'
    : 'nothing below it was touched (--forget removes)';
  return [
    ...report.problems.map(({ root, reason }) => `${root}: ${reason}; ${consequence}`),
    ...report.unreadable.map(({ path, reason }) => `${path}: ${reason}`),
    ...report.damaged.map(({ path, reason }) => `${path}: damaged: ${reason}`),
  ];
}
