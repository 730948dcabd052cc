// Checks that several instances of one catalogue keep the guarantees of docs/scaling.md. Prints one
// table of rows.
//   npm run scale [-- [--dats FOLDER] [--seed NUMBER] [--only FAULT]... NAME...]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsePositiveNumber, requireNames, selectByName } from '../measure/arguments.ts';
import { passes } from '../measure/figure.ts';
import { runEach } from '../measure/outcome.ts';
import { withWorkFolder } from '../measure/program.ts';
import type { Row } from './row.ts';
import { partNames } from './rows/faults.ts';
import { rows } from './rows.ts';
import { runRow } from './run-row.ts';
import { summaryOfRow, tableOfRows } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    dats: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
  allowPositionals: true,
});
const seed = parsePositiveNumber('scale', 'seed', values.seed);
const chosen = selectByName('scale', 'row', rows, positionals);
requireNames('scale', 'fault', partNames, values.only);

await withWorkFolder(async (all) => {
  process.stderr.write(`scale: --seed ${seed}\n`);
  const run = async (row: Row) => {
    const folder = join(all, row.name);
    await mkdir(folder);
    return runRow(row, { folder, seed, dats: values.dats, only: values.only });
  };
  const outcomes = await runEach('scale', chosen, run, summaryOfRow);
  process.stdout.write(tableOfRows(outcomes));
  const failed = outcomes.filter(
    (one) => 'failed' in one || ('figures' in one && !one.figures.every(passes)),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
});
