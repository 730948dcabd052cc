import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import { median } from '../../measure/median.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { BareInsert } from '../bare/bare-insert.ts';
import { runInChild } from '../child.ts';
import { type Bench, memoryRow, type Row } from '../row.ts';

/** Number of releases in the real DATs. */
const releases = 156_381;
const shuffledRows = 300_000;
/** Number of first imports, an odd number. The median counts. */
const turns = 3;

/**
 * Measures `catalog import` into a new data folder, then a second import of the same DATs. Each run
 * is timed from start to exit. The first import is compared with bare inserts of the same releases
 * and ROMs, parsed beforehand, in one transaction. The second import is compared with the first.
 */
export const importBench: Bench = {
  rows: ['import', 'import-memory', 'import-again'],
  measure: async (work) => {
    const dats = await work.dats(releases);
    const folder = await work.folder('import');
    const bare: number[] = [];
    const firsts: Awaited<ReturnType<typeof timeImport>>[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      const file = join(folder, `bare ${turn}.db`);
      bare.push((await runInChild<BareInsert>('bare/bare-insert.ts', { dats, file })).ms);
      firsts.push(await timeImport(dats, join(folder, `data ${turn}`)));
    }
    const [first] = firsts.toSorted((a, b) => a.ms - b.ms).slice((turns - 1) / 2);
    if (first === undefined) throw new Error('no import was timed');
    const second = await timeImport(dats, join(folder, `data ${turns}`));
    if (second.new > 0) throw new Error(`${second.new} releases are new in the second import`);
    const what = `import of ${first.rows} rows`;
    const rows: Row[] = [
      {
        name: 'import',
        what,
        unit: 'ms',
        catalog: first.ms,
        reference: median(bare),
        against: 'bare prepared inserts, parsed before',
        targets: [{ of: 'ratio', most: 1.4 }],
        detail: { releases: first.releases },
      },
      {
        name: 'import-again',
        what: `${what}, again`,
        unit: 'ms',
        catalog: second.ms,
        reference: first.ms,
        against: 'the first import',
        targets: [{ of: 'ratio', most: 0.3 }],
      },
    ];
    if (first.mib === null) return rows;
    return [...rows, memoryRow('import-memory', `memory of an ${what}`, first.mib, 256)];
  },
};

/**
 * Measures the import of one DAT with shuffled rows. The reference is the same DAT sorted by name.
 */
export const shuffledImportBench: Bench = {
  rows: ['import-shuffled'],
  measure: async (work) => {
    const folder = await work.folder('shuffled');
    const timed = async (shuffled: boolean) => {
      const name = join(folder, shuffled ? 'shuffled' : 'by name');
      const dats = await generateDats(`${name} dats`, [shuffledRows], 0, { shuffled });
      return timeImport(dats, name);
    };
    const byName = await timed(false);
    const shuffled = await timed(true);
    if (shuffled.new !== byName.new) throw new Error(`${shuffled.new} are new, not ${byName.new}`);
    return [
      {
        name: 'import-shuffled',
        what: `import of ${shuffledRows} shuffled rows`,
        unit: 'ms',
        catalog: shuffled.ms,
        reference: byName.ms,
        against: 'the same in the order of their names',
        targets: [{ of: 'ratio', most: 1.5 }],
      },
    ];
  },
};
