import { cpus } from 'node:os';
import { isHeld, type Row, ratioOf, type Target } from './row.ts';

/** Rows that could not be measured, with the reason. */
export interface Skipped {
  readonly names: readonly string[];
  readonly reason: string;
}

export function printTable(rows: readonly Row[], skipped: readonly Skipped[]): void {
  const lines = [
    ['name', 'what', 'catalog', 'reference', 'ratio', 'target', 'held', 'reference is'],
    ...rows.map((row) => [
      row.name,
      row.what,
      `${figure(row.catalog)} ${row.unit}`,
      row.reference === null ? '' : `${figure(row.reference)} ${row.unit}`,
      ratioOf(row)?.toFixed(2) ?? '',
      row.targets.map((target) => inWords(target, row.unit)).join(', '),
      { true: 'yes', false: 'NO', null: '' }[`${isHeld(row)}`] ?? '',
      row.against,
    ]),
  ];
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const isNumber = (column: number) => column >= 2 && column <= 4;
  for (const line of lines) {
    const cells = line.map((cell, i) => {
      const width = i === line.length - 1 ? 0 : (widths?.[i] ?? 0);
      return isNumber(i) ? cell.padStart(width) : cell.padEnd(width);
    });
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
  for (const { names, reason } of skipped) {
    process.stdout.write(`skipped: ${names.join(', ')}: ${reason}\n`);
  }
  process.stdout.write('ratio: times the reference, measured in this run\n');
}

/** Returns the summary of a row, printed while others are still measured. */
export function inShort(row: Row): string {
  const reference = row.reference === null ? '' : ` against ${figure(row.reference)}`;
  return `${row.name} ${figure(row.catalog)}${reference} ${row.unit}`;
}

export function printJson(rows: readonly Row[], skipped: readonly Skipped[]): void {
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
  };
  const all = rows.map((row) => ({ ...row, ratio: ratioOf(row), isHeld: isHeld(row) }));
  process.stdout.write(`${JSON.stringify({ machine, rows: all, skipped }, null, 2)}\n`);
}

const figure = (value: number) => (value < 10 ? value.toFixed(2) : String(Math.round(value)));

function inWords({ of, least, most }: Target, unit: string): string {
  const bound = least === undefined ? `<= ${most}` : `>= ${least}`;
  return of === 'catalog' ? `${bound} ${unit}` : bound;
}
