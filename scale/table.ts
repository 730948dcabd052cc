import { type Figure, passes } from '../trust/check.ts';
import type { Measured } from './run-row.ts';

/** Prints one table of all rows, with one line per figure. */
export function printTable(measured: readonly Measured[]): void {
  const lines = [['row', 'figure', '', 'pass figure', ''], ...measured.flatMap(linesOf)];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i >= 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** Returns the summary of a completed row. */
export function inShort(one: Measured): string {
  if ('skipped' in one) return `skipped: ${one.skipped}`;
  if ('failed' in one) return `FAILED: ${one.failed}`;
  const figures = one.figures.map((figure) => `${figure.what} ${shown(figure)}`);
  return `${one.figures.every(passes) ? 'passed' : 'FAILED'}: ${figures.join('; ')}`;
}

function linesOf(one: Measured): string[][] {
  if (!('figures' in one)) return [[one.name, inShort(one)]];
  return one.figures.map((figure, i) => [
    i === 0 ? one.name : '',
    figure.what,
    shown(figure),
    `${figure.most} ${figure.unit}`,
    passes(figure) ? '' : 'FAILED',
  ]);
}

function shown({ value, unit }: Figure): string {
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`.trimEnd();
}
