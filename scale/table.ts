import { alignColumns } from '../measure/columns.ts';
import { formatBound, formatValue, passes } from '../measure/figure.ts';
import { type Outcome, reasonOf } from '../measure/outcome.ts';

/** Returns one table of all rows, with one line per figure. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const table = [['row', 'figure', '', 'pass figure', ''], ...outcomes.flatMap(linesOf)];
  return `${alignColumns(table, (column) => column >= 2).join('\n')}\n`;
}

/** Returns the summary of a completed row. */
export function inShort(outcome: Outcome): string {
  if (!('figures' in outcome)) return reasonOf(outcome);
  const figures = outcome.figures.map((figure) => `${figure.what} ${formatValue(figure)}`);
  return `${outcome.figures.every(passes) ? 'passed' : 'FAILED'}: ${figures.join('; ')}`;
}

function linesOf(outcome: Outcome): string[][] {
  if (!('figures' in outcome)) return [[outcome.name, reasonOf(outcome)]];
  return outcome.figures.map((figure, i) => [
    i === 0 ? outcome.name : '',
    figure.what,
    formatValue(figure),
    formatBound(figure),
    passes(figure) ? '' : 'FAILED',
  ]);
}
