import { type Figure, formatValue } from './figure.ts';
import { type Measured, type Outcome, reasonOf } from './outcome.ts';

/**
 * Returns the lines of an outcome in a table: one for each figure, or one with the reason why there
 * are no figures. `cellsOf` returns the cells after the name of the figure.
 */
export function linesOf<More>(
  outcome: Outcome<More>,
  cellsOf: (figure: Figure, index: number, measured: Measured<More>) => string[],
): string[][] {
  if (!('figures' in outcome)) return [[outcome.name, reasonOf(outcome)]];
  return outcome.figures.map((figure, index) => [
    index === 0 ? outcome.name : '',
    figure.what,
    ...cellsOf(figure, index, outcome),
  ]);
}

/**
 * Returns the summary of an outcome: whether it passed, and its figures. `annotate` returns a text
 * that follows the value of a figure.
 */
export function summaryOf<More>(
  outcome: Outcome<More>,
  hasPassed: (measured: Measured<More>) => boolean,
  annotate: (figure: Figure, measured: Measured<More>) => string = () => '',
): string {
  if (!('figures' in outcome)) return reasonOf(outcome);
  const figures = outcome.figures.map(
    (figure) => `${figure.what} ${formatValue(figure)}${annotate(figure, outcome)}`,
  );
  return `${hasPassed(outcome) ? 'passed' : 'FAILED'}: ${figures.join('; ')}`;
}
