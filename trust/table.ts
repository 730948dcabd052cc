import { alignColumns } from '../measure/columns.ts';
import { formatBound, formatValue, passes } from '../measure/figure.ts';
import { reasonOf } from '../measure/outcome.ts';
import { hasPassed, isCaught, type TrustOutcome } from './run-check.ts';

/** Returns one table of all checks, with one line per figure. */
export function tableOf(outcomes: readonly TrustOutcome[]): string {
  const table = [
    ['check', 'figure', '', 'pass figure', 'with the fault', 'control', ''],
    ...outcomes.flatMap(linesOf),
  ];
  return `${alignColumns(table, (column) => column >= 2 && column <= 4).join('\n')}\n`;
}

/**
 * Returns the summary of a completed check: whether it passed, and its figures. The figures of the
 * control are in brackets.
 */
export function inShort(outcome: TrustOutcome): string {
  if (!('figures' in outcome)) return reasonOf(outcome);
  const figures = outcome.figures.map((figure) => {
    const planted = outcome.control.figures.find(({ what }) => what === figure.what);
    const beside = planted ? ` (${formatValue(planted)})` : '';
    return `${figure.what} ${formatValue(figure)}${beside}`;
  });
  return `${hasPassed(outcome) ? 'passed' : 'FAILED'}: ${figures.join('; ')}`;
}

function linesOf(outcome: TrustOutcome): string[][] {
  const { name } = outcome;
  if (!('figures' in outcome)) return [[name, reasonOf(outcome)]];
  const { figures, control } = outcome;
  const verdict = isCaught(control) ? control.what : `NOT CAUGHT: ${control.what}`;
  return figures.map((figure, i) => {
    const planted = control.figures.find(({ what }) => what === figure.what);
    const isLast = i === figures.length - 1;
    return [
      i === 0 ? name : '',
      figure.what,
      formatValue(figure) + (passes(figure) ? '' : ' !'),
      formatBound(figure),
      planted ? formatValue(planted) : '',
      i === 0 ? verdict : '',
      isLast && !hasPassed(outcome) ? 'FAILED' : '',
    ];
  });
}
