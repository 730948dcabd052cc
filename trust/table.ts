import { type Figure, passes } from './check.ts';
import { hasPassed, isCaught, type Outcome } from './run-check.ts';

/** Prints one table of all checks, with one line per figure. */
export function printTable(outcomes: readonly Outcome[]): void {
  const lines = [
    ['check', 'figure', '', 'pass figure', 'with the fault', 'control', ''],
    ...outcomes.flatMap(linesOf),
  ];
  const widths = [0, 1, 2, 3, 4, 5].map((i) =>
    Math.max(...lines.map((line) => line[i]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i >= 2 && i <= 4 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/**
 * Returns the summary of a completed check: whether it passed, and its figures. The figures of the
 * control are in brackets.
 */
export function inShort(outcome: Outcome): string {
  if ('skipped' in outcome) return `skipped: ${outcome.skipped}`;
  if ('failed' in outcome) return `FAILED: ${outcome.failed}`;
  const figures = outcome.figures.map((figure) => {
    const planted = outcome.control.figures.find(({ what }) => what === figure.what);
    const beside = planted ? ` (${shownValue(planted)})` : '';
    return `${figure.what} ${shownValue(figure)}${beside}`;
  });
  return `${hasPassed(outcome) ? 'passed' : 'FAILED'}: ${figures.join('; ')}`;
}

function linesOf(outcome: Outcome): string[][] {
  const { name } = outcome;
  if ('skipped' in outcome) return [[name, `skipped: ${outcome.skipped}`]];
  if ('failed' in outcome) return [[name, `FAILED: ${outcome.failed}`]];
  const { figures, control } = outcome;
  const verdict = isCaught(control) ? control.what : `NOT CAUGHT: ${control.what}`;
  return figures.map((figure, i) => {
    const planted = control.figures.find(({ what }) => what === figure.what);
    const isLast = i === figures.length - 1;
    return [
      i === 0 ? name : '',
      figure.what,
      shownValue(figure) + (passes(figure) ? '' : ' !'),
      `${figure.most} ${figure.unit}`,
      planted ? shownValue(planted) : '',
      i === 0 ? verdict : '',
      isLast && !hasPassed(outcome) ? 'FAILED' : '',
    ];
  });
}

function shownValue({ value, unit }: Figure): string {
  const shown = value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown} ${unit}`;
}
