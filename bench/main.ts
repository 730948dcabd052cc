// The benchmark: one table of ratios, each against a reference that is measured in the same run.
//   npm run bench [-- --json]
import { join } from 'node:path';
import { generatedDats, realDats } from './dats.ts';
import { hashRows } from './hash-rows.ts';
import { httpRows } from './http-rows.ts';
import { igirRows } from './igir-rows.ts';
import { importBesideRows } from './import-beside-rows.ts';
import { importRows, shuffledImportRow } from './import-rows.ts';
import { libraryRows } from './library-rows.ts';
import { pageRows } from './page-rows.ts';
import { sameNameRows } from './same-name-rows.ts';
import { printJson, printTable, type Row } from './table.ts';
import { uploadRows } from './upload-rows.ts';
import { withWorkFolder } from './work.ts';

const asJson = process.argv.includes('--json');

await withWorkFolder(async (folder) => {
  const small = realDats() ?? (await generatedDats(join(folder, 'small-dats'), [3_456, 836]));
  const large = await generatedDats(join(folder, 'large-dats'), Array(10).fill(20_000));
  const rows: Row[] = [];
  for (const [name, dats] of Object.entries({ small, large })) {
    const data = join(folder, name);
    say(`importing ${dats.length} DATs`);
    const imported = await importRows({ dats, data });
    // Of a small import, starting and ending the program is most.
    if (name === 'large') rows.push(...imported.rows);
    say(`asking for lists and details of ${imported.releases} releases`);
    rows.push(...(await httpRows({ data, releases: imported.releases })));
  }
  say('showing the web page');
  const shown = await generatedDats(join(folder, 'page-dats'), [...Array(8).fill(20_000), 10_000]);
  rows.push(...(await pageRows({ data: join(folder, 'page'), dats: shown })));
  say('importing rows of one name');
  const [dat = ''] = large;
  rows.push(...(await sameNameRows({ dat, data: join(folder, 'names') })));
  say('importing rows in no order');
  rows.push(await shuffledImportRow({ folder, rows: 300_000 }));
  say('importing while others log in and read');
  const [beside = ''] = await generatedDats(join(folder, 'beside-dats'), [60_000], 10);
  const [sent = ''] = await generatedDats(join(folder, 'sent-dats'), [60_000], 11);
  rows.push(...(await importBesideRows({ data: join(folder, 'large'), dat: beside, sent })));
  say('uploading 2 GiB');
  rows.push(...(await uploadRows(join(folder, 'upload'))));
  say('scanning and refreshing a library');
  rows.push(...(await libraryRows(join(folder, 'library'))));
  say('hashing images');
  rows.push(...(await hashRows(join(folder, 'images'))));
  rows.push(...igirRows(join(folder, 'images'), join(folder, 'igir')));
  if (asJson) printJson(rows);
  else printTable(rows);
});

function say(step: string): void {
  process.stderr.write(`bench: ${step}\n`);
}
