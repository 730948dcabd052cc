import { cpus } from 'node:os';
import { alignColumns } from '../measure/columns.ts';
import { meetsTargets, type Row, ratioOf, type Target } from './row.ts';

/** Names of rows that were not measured, with the reason. */
export interface Skipped {
  readonly names: readonly string[];
  readonly reason: string;
}

/** Returns the figures as a table with fixed column widths. Each skipped benchmark adds a line. */
export function formatTable(rows: readonly Row[], skipped: readonly Skipped[]): string {
  const table = [
    ['name', 'what', 'catalog', 'reference', 'ratio', 'target', 'held', 'reference is'],
    ...rows.map((row) => [row.name, row.what, ...figuresOf(row), row.against]),
  ];
  return [
    ...alignColumns(table, (column) => column >= 2 && column <= 4),
    ...skipped.map(({ names, reason }) => `skipped: ${names.join(', ')}: ${reason}`),
    'ratio: times the reference, measured in this run',
    '',
  ].join('\n');
}

/**
 * Returns the text of `bench/results.md`: the machine, and the figures without the explanatory
 * columns.
 */
export function formatResults(rows: readonly Row[], skipped: readonly Skipped[]): string {
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
    ...alignColumns(short, (column) => column >= 1 && column <= 3).map((line) => `    ${line}`),
    '',
    ...skipped.map(({ names, reason }) => `Skipped: ${names.join(', ')} (${reason}).\n`),
  ].join('\n');
}

/** Returns a row's cells for the columns `catalog`, `reference`, `ratio`, `target` and `held`. */
function figuresOf(row: Row): string[] {
  return [
    `${formatNumber(row.catalog)} ${row.unit}`,
    row.reference === null ? '' : `${formatNumber(row.reference)} ${row.unit}`,
    ratioOf(row)?.toFixed(2) ?? '',
    row.targets.map((target) => describeTarget(target, row.unit)).join(', '),
    { true: 'yes', false: 'NO', null: '' }[`${meetsTargets(row)}`] ?? '',
  ];
}

/** Returns the summary of a row. The benchmark prints the summary while it measures other rows. */
export function summarizeRow(row: Row): string {
  const reference = row.reference === null ? '' : ` against ${formatNumber(row.reference)}`;
  return `${row.name} ${formatNumber(row.catalog)}${reference} ${row.unit}`;
}

export function printJson(rows: readonly Row[], skipped: readonly Skipped[]): void {
  const all = rows.map((row) => ({ ...row, ratio: ratioOf(row), isHeld: meetsTargets(row) }));
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

const formatNumber = (value: number) => (value < 10 ? value.toFixed(2) : String(Math.round(value)));

function describeTarget({ of, least, most }: Target, unit: string): string {
  const bound = least === undefined ? `<= ${most}` : `>= ${least}`;
  return of === 'catalog' ? `${bound} ${unit}` : bound;
}
