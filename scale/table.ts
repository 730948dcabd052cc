import { alignColumns } from '../measure/columns.ts';
import { formatBound, formatValue, passes } from '../measure/figure.ts';
import { type Outcome, reasonOf } from '../measure/outcome.ts';
import type { Shown } from './run-row.ts';

/**
 * Returns one table of all rows, with one line per figure, and the lines of rows with a table of
 * their own.
 */
export function tableOf(outcomes: readonly Outcome<Shown>[]): string {
  const shown = outcomes.flatMap((outcome) => ('shown' in outcome ? outcome.shown : []));
  const lines = outcomes.flatMap((outcome) => (shownBy(outcome) ? [] : linesOf(outcome)));
  const table = [['row', 'figure', '', 'pass figure', ''], ...lines];
  const own = lines.length > 0 ? alignColumns(table, (column) => column >= 2) : [];
  return `${[...own, ...shown].join('\n')}\n`;
}

const shownBy = (outcome: Outcome<Shown>) => 'shown' in outcome && outcome.shown.length > 0;

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
