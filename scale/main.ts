// Checks that several instances of one catalogue keep the guarantees of docs/scaling.md. Prints one
// table of rows.
//   npm run scale [-- [--dats FOLDER] [--seed NUMBER] NAME...]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withWorkFolder } from '../bench/work.ts';
import { passes } from '../trust/check.ts';
import { rows } from './rows.ts';
import { type Measured, runRow } from './run-row.ts';
import { inShort, printTable } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    dats: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
  allowPositionals: true,
});
const seed = Number(values.seed);
const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  const known = rows.map(({ name }) => name).join(', ');
  const what = unknown.length > 0 ? `no row is called ${unknown.join(', ')}` : 'a bad --seed';
  process.stderr.write(`scale: ${what}; the rows are ${known}\n`);
  process.exit(2);
}
const chosen = rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

await withWorkFolder(async (all) => {
  process.stderr.write(`scale: --seed ${seed}\n`);
  const measured: Measured[] = [];
  for (const row of chosen) {
    process.stderr.write(`scale: ${row.name}\n`);
    const folder = join(all, row.name);
    await mkdir(folder);
    const one = await runRow(row, { folder, seed, dats: values.dats });
    measured.push(one);
    process.stderr.write(`scale: ${row.name}: ${inShort(one)} (${Math.round(one.seconds)} s)\n`);
  }
  printTable(measured);
  const failed = measured.filter(
    (one) => 'failed' in one || ('figures' in one && !one.figures.every(passes)),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
});
