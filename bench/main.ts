// The benchmark. Prints one table of figures, each next to a reference measured in the same run.
//   npm run bench [-- [--json] [--dats FOLDER] [--picture FILE] [--results FILE] NAME...]
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWithUsageError, requireNames } from '../measure/arguments.ts';
import { withWorkFolder } from '../measure/program.ts';
import { benches } from './benches.ts';
import { benchWork } from './data/catalogues.ts';
import { unpackDats } from './data/unpacked-dats.ts';
import { growthPicture } from './picture.ts';
import type { Row } from './row.ts';
import { formatResults, formatTable, printJson, type Skipped, summarizeRow } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    dats: { type: 'string' },
    picture: { type: 'string' },
    results: { type: 'string' },
  },
  allowPositionals: true,
});
requireNames(
  'bench',
  'row',
  benches.flatMap(({ rows }) => rows),
  positionals,
);
if (values.dats !== undefined && !existsSync(values.dats)) {
  exitWithUsageError('bench', `there is no folder ${values.dats}`);
}
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);

await withWorkFolder(async (folder) => {
  const rows: Row[] = [];
  const skipped: Skipped[] = [];
  const work = benchWork(folder, values.dats ?? unpackDats(join(folder, 'real')));
  for (const bench of benches) {
    const wanted = bench.rows.filter(isWanted);
    if (wanted.length === 0) continue;
    const reason = bench.skipReason?.(work) ?? null;
    if (reason !== null) {
      skipped.push({ names: wanted, reason });
      continue;
    }
    process.stderr.write(`bench: ${wanted.join(', ')}\n`);
    try {
      const measured = (await bench.measure(work, isWanted)).filter(({ name }) => isWanted(name));
      for (const row of measured) process.stderr.write(`bench: ${summarizeRow(row)}\n`);
      rows.push(...measured);
    } catch (error) {
      // Do not discard the rows of other benchmarks, which took time to measure.
      process.stderr.write(`bench: ${error instanceof Error ? error.stack : error}\n`);
      skipped.push({ names: wanted, reason: `failed: ${error}` });
      process.exitCode = 1;
    }
  }
  if (values.json) printJson(rows, skipped);
  else process.stdout.write(formatTable(rows, skipped));
  if (values.picture !== undefined) writeFileSync(values.picture, growthPicture(rows));
  if (values.results !== undefined) writeFileSync(values.results, formatResults(rows, skipped));
});
