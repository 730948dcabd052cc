import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { Bench } from '../row.ts';

/**
 * Measures `catalog import` of a clrmamepro DAT whose rows all have the same name. The reference is
 * the original DAT.
 */
export const sameNameBench: Bench = {
  rows: ['import-one-name'],
  measure: async (work) => {
    const folder = await work.folder('one-name');
    const [dat = ''] = await generateDats(folder, [20_000]);
    const same = join(folder, 'same.dat');
    const text = await readFile(dat, 'utf8');
    await writeFile(same, text.replace(/^game \(\n\tname ".*"$/gm, 'game (\n\tname "Same"'));
    const reference = await timeImport([dat], join(folder, 'as it is'));
    const catalog = await timeImport([same], join(folder, 'one name'));
    if (catalog.new !== reference.new) throw new Error(`${catalog.new} releases, not all`);
    return [
      {
        name: 'import-one-name',
        what: `import of ${catalog.rows} rows of one name`,
        unit: 'ms',
        catalog: catalog.ms,
        reference: reference.ms,
        against: 'the same rows with their names',
        targets: [{ of: 'ratio', most: 1.5 }],
      },
    ];
  },
};
