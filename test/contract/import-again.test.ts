import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DatIntake } from '../../src/core/imports/dat-intake.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { SqlImportRecords } from '../../src/sql/imports/import-records.ts';
import { clrmamepro, game, xml } from '../imports/support/dat-text.ts';
import { describeEngines } from './fixtures/engines.ts';
import { steppingClock, useEngine } from './fixtures/use-engine.ts';

const actor = { kind: 'system' } as const;
const rows = [game('One', 'a'), game('Two', 'b'), game('Three', 'c')];
const first = xml(rows, undefined, '1');

describeEngines('$name: a file imported again', ({ open }) => {
  async function useRecords() {
    const engine = await useEngine(open);
    const records = new SqlImportRecords({ engine, clock: steppingClock() });
    const { signal } = new AbortController();
    const take = (text: string) => {
      const rows = records.newImport();
      return rows.run(
        async () => {
          const intake = new DatIntake(rows);
          await readDat(bytesOf(text), intake);
          return intake.result('a/first name.dat', sha256(text));
        },
        {},
        { signal, onWritten() {} },
        actor,
      );
    };
    const again = (text: string, options: { dryRun?: boolean } = {}) =>
      records.importAgain({ fileName: 'other name.dat', sha256: sha256(text) }, options, actor);
    const history = () => records.listImports(10, 0);
    return { engine, take, again, history };
  }

  test('is recorded in the history, and all its releases are reported as unchanged', async () => {
    const { take, again, history } = await useRecords();
    const { counts } = await take(first);
    const outcome = {
      counts: { ...counts, new: 0, unchanged: 3 },
      samples: {
        new: [],
        changed: [],
        renamed: [],
        joined: [],
        gone: [],
        protected: [],
        pruned: [],
        refusedRows: [],
      },
    };
    const found = await again(first);
    expect(found?.outcome).toEqual(outcome);
    expect(found?.dat).toMatchObject({ kind: 'dat', rows: 3, header: { version: '1' } });
    const [last, before] = await history();
    expect(last).toMatchObject({
      ...before,
      id: 2,
      fileName: 'other name.dat',
      importedAt: last?.importedAt,
      counts: outcome.counts,
    });
    expect(await again(first), 'and once more').toMatchObject({ outcome });
  });

  test('is reported by a dry run, which is not recorded in the history', async () => {
    const { take, again, history } = await useRecords();
    await take(first);
    expect(await again(first, { dryRun: true })).toMatchObject({
      outcome: { counts: { rows: 3, releases: 3, unchanged: 3 } },
    });
    expect(await history()).toHaveLength(1);
  });

  test('is not recognised if it is unknown, superseded or has metadata', async () => {
    const { take, again, history } = await useRecords();
    const withFacts = clrmamepro([
      ...rows,
      { fields: { genre: 'Puzzle' }, roms: [{ crc: '12345678' }] },
    ]);
    expect(await again(first)).toBeNull();
    await take(first);
    await take(xml([...rows, game('Four', 'd')], undefined, '2'));
    expect(await again(first)).toBeNull();
    await take(withFacts);
    expect(await again(withFacts)).toBeNull();
    expect(await history()).toHaveLength(3);
  });

  test('takes over the claim of another unfinished import', async () => {
    const { engine, take, again } = await useRecords();
    await take(first);
    await engine.write((trx) =>
      trx.insertInto('unfinished_import').values({ first_release_id: 1000, claim: 'x' }).execute(),
    );
    // Like any import, this import takes over the claim of the interrupted import.
    expect(await again(first)).not.toBeNull();
    const left = await engine.read.selectFrom('unfinished_import').selectAll().execute();
    expect(left).toEqual([]);
  });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
