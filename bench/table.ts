import { cpus } from 'node:os';

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly unit: 'answers/s' | 'ms' | 'MB/CPU-s' | 'MiB';
  readonly catalog: number;
  readonly reference: number;
  /** What the reference is. */
  readonly against: string;
  /** Times as long as the reference: 1 is as fast, less is faster. */
  readonly ratio: number;
  /** Further figures, for `--json`. */
  readonly detail?: Readonly<Record<string, number>>;
}

export function printTable(rows: readonly Row[]): void {
  const lines = [
    ['what', 'catalog', 'p99', 'reference', 'ratio', 'reference is'],
    ...rows.map((row) => [
      row.what,
      `${Math.round(row.catalog)} ${row.unit}`,
      row.detail?.catalogP99Ms === undefined ? '' : `${row.detail.catalogP99Ms} ms`,
      `${Math.round(row.reference)} ${row.unit}`,
      row.ratio.toFixed(2),
      row.against,
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[0] ?? 0) : i < 5 ? cell.padStart(widths[i] ?? 0) : cell,
    );
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  process.stdout.write('ratio: times as long as the reference, measured in this run\n');
}

export function printJson(rows: readonly Row[]): void {
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
  };
  process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
