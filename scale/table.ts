import { alignColumns } from '../measure/columns.ts';
import { type Figure, formatBound, formatValue, passes } from '../measure/figure.ts';
import type { Outcome } from '../measure/outcome.ts';
import { linesOf, summaryOf } from '../measure/outcome-table.ts';
import type { Shown } from './run-row.ts';

/**
 * Returns one table of all rows, with one line per figure, and the lines of rows with a table of
 * their own.
 */
export function tableOfRows(outcomes: readonly Outcome<Shown>[]): string {
  const shown = outcomes.flatMap((outcome) => ('shown' in outcome ? outcome.shown : []));
  const lines = outcomes.flatMap((outcome) =>
    hasOwnTable(outcome) ? [] : linesOf(outcome, cellsOf),
  );
  const table = [['row', 'figure', '', 'pass figure', ''], ...lines];
  const own = lines.length > 0 ? alignColumns(table, (column) => column >= 2) : [];
  return `${[...own, ...shown].join('\n')}\n`;
}

const hasOwnTable = (outcome: Outcome<Shown>) => 'shown' in outcome && outcome.shown.length > 0;

/** Returns the summary of a completed row. */
export function summaryOfRow(outcome: Outcome): string {
  return summaryOf(outcome, ({ figures }) => figures.every(passes));
}

function cellsOf(figure: Figure): string[] {
  return [formatValue(figure), formatBound(figure), passes(figure) ? '' : 'FAILED'];
}
