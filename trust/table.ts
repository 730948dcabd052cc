import { alignColumns } from '../measure/columns.ts';
import { type Figure, formatBound, formatValue, passes } from '../measure/figure.ts';
import type { Measured } from '../measure/outcome.ts';
import { linesOf, summaryOf } from '../measure/outcome-table.ts';
import { type Control, hasPassed, isCaught, type TrustOutcome } from './run-check.ts';

type Checked = Measured<{ readonly control: Control }>;

/** Returns one table of all checks, with one line per figure. */
export function tableOfChecks(outcomes: readonly TrustOutcome[]): string {
  const table = [
    ['check', 'figure', '', 'pass figure', 'with the fault', 'control', ''],
    ...outcomes.flatMap((outcome) => linesOf(outcome, cellsOf)),
  ];
  return `${alignColumns(table, (column) => column >= 2 && column <= 4).join('\n')}\n`;
}

/**
 * Returns the summary of a completed check: whether it passed, and its figures. The figures of the
 * control are in brackets.
 */
export function summaryOfCheck(outcome: TrustOutcome): string {
  return summaryOf(outcome, hasPassed, (figure, { control }) => {
    const planted = plantedFigure(control, figure);
    return planted ? ` (${formatValue(planted)})` : '';
  });
}

function cellsOf(figure: Figure, index: number, checked: Checked): string[] {
  const { figures, control } = checked;
  const verdict = isCaught(control) ? control.what : `NOT CAUGHT: ${control.what}`;
  const planted = plantedFigure(control, figure);
  const isLast = index === figures.length - 1;
  return [
    formatValue(figure) + (passes(figure) ? '' : ' !'),
    formatBound(figure),
    planted ? formatValue(planted) : '',
    index === 0 ? verdict : '',
    isLast && !hasPassed(checked) ? 'FAILED' : '',
  ];
}

/** Returns the same figure, measured with the planted fault. */
function plantedFigure({ figures }: Control, { what }: Figure): Figure | undefined {
  return figures.find((figure) => figure.what === what);
}
