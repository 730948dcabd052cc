import { cpus } from 'node:os';
import { inColumns } from '../measure/columns.ts';
import { isHeld, type Row, ratioOf, type Target } from './row.ts';

/** Names of rows that were not measured, with the reason. */
export interface Skipped {
  readonly names: readonly string[];
  readonly reason: string;
}

/** Returns the figures as a table with fixed column widths. Each skipped benchmark adds a line. */
export function tableOf(rows: readonly Row[], skipped: readonly Skipped[]): string {
  const table = [
    ['name', 'what', 'catalog', 'reference', 'ratio', 'target', 'held', 'reference is'],
    ...rows.map((row) => [row.name, row.what, ...figuresOf(row), row.against]),
  ];
  return [
    ...inColumns(table, (column) => column >= 2 && column <= 4),
    ...skipped.map(({ names, reason }) => `skipped: ${names.join(', ')}: ${reason}`),
    'ratio: times the reference, measured in this run',
    '',
  ].join('\n');
}

/**
 * Returns the text of `bench/results.md`: the machine, and the figures without the explanatory
 * columns.
 */
export function resultsOf(rows: readonly Row[], skipped: readonly Skipped[]): string {
  const short = [
    ['row', 'catalog', 'reference', 'ratio', 'target', 'held'],
    ...rows.map((row) => [row.name, ...figuresOf(row)]),
  ];
  const { node, cores } = machine();
  return [
    '# Results of the last whole run',
    '',
    `Written by \`npm run bench -- --results bench/results.md\` on ${new Date().toISOString().slice(0, 10)}:`,
    `Node ${node}, ${cores} cores. [README.md](README.md) says what each row measures.`,
    '',
    ...inColumns(short, (column) => column >= 1 && column <= 3).map((line) => `    ${line}`),
    '',
    ...skipped.map(({ names, reason }) => `Skipped: ${names.join(', ')} (${reason}).\n`),
  ].join('\n');
}

/** Returns a row's cells for the columns `catalog`, `reference`, `ratio`, `target` and `held`. */
function figuresOf(row: Row): string[] {
  return [
    `${figure(row.catalog)} ${row.unit}`,
    row.reference === null ? '' : `${figure(row.reference)} ${row.unit}`,
    ratioOf(row)?.toFixed(2) ?? '',
    row.targets.map((target) => inWords(target, row.unit)).join(', '),
    { true: 'yes', false: 'NO', null: '' }[`${isHeld(row)}`] ?? '',
  ];
}

/** Returns the summary of a row. The benchmark prints the summary while it measures other rows. */
export function inShort(row: Row): string {
  const reference = row.reference === null ? '' : ` against ${figure(row.reference)}`;
  return `${row.name} ${figure(row.catalog)}${reference} ${row.unit}`;
}

export function printJson(rows: readonly Row[], skipped: readonly Skipped[]): void {
  const all = rows.map((row) => ({ ...row, ratio: ratioOf(row), isHeld: isHeld(row) }));
  process.stdout.write(`${JSON.stringify({ machine: machine(), rows: all, skipped }, null, 2)}\n`);
}

function machine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
  };
}

const figure = (value: number) => (value < 10 ? value.toFixed(2) : String(Math.round(value)));

function inWords({ of, least, most }: Target, unit: string): string {
  const bound = least === undefined ? `<= ${most}` : `>= ${least}`;
  return of === 'catalog' ? `${bound} ${unit}` : bound;
}
