import { readFile, writeFile } from 'node:fs/promises';
import { timedImport } from './import-rows.ts';
import type { Row } from './table.ts';

/** `catalog import` of a clrmamepro DAT whose rows were all given one name, against the DAT as it is. */
export async function sameNameRows(options: { dat: string; data: string }): Promise<Row[]> {
  const { dat, data } = options;
  const same = `${dat}.same.dat`;
  const text = await readFile(dat, 'utf8');
  await writeFile(same, text.replace(/^game \(\n\tname ".*"$/gm, 'game (\n\tname "Same"'));
  const reference = await timedImport([dat], `${data}-as-it-is`);
  const catalog = await timedImport([same], `${data}-same`);
  if (catalog.new !== reference.new) throw new Error(`${catalog.new} releases, not all`);
  return [
    {
      what: `import of ${catalog.rows} rows of one name`,
      unit: 'ms',
      catalog: catalog.ms,
      reference: reference.ms,
      against: 'the same rows with their names',
      ratio: catalog.ms / reference.ms,
    },
  ];
}
