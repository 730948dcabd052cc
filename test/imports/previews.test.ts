import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { game, xml } from './support/dat-text.ts';
import {
  filledStagingTablesOf,
  gate,
  importText,
  releaseNames,
  useEngine,
} from './support/engine-fixture.ts';
import { nonZero } from './support/imports-fixture.ts';

const rows = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => game(`${name} ${i}`, `${name} ${i}`));
/** This number of rows is written in several parts. */
const many = 1_500;

describe('the runner of imports and dry runs', () => {
  test('keeps the staged rows of a dry run and of an import in one process apart', async () => {
    const imports = await useEngine();
    await importText(imports, xml(rows('Old', 10)));
    const newer = xml([...rows('Old', 5), ...rows('New', 600)]);
    const other = xml([...rows('Old', 3), ...rows('Other', 300)]);
    const dryRuns: object[] = [];
    const preview = async () => {
      const { counts, samples } = await importText(imports, other, { dryRun: true, source: 'b' });
      dryRuns.push({ counts: nonZero(counts), first: samples.new[0] });
    };
    const { counts } = await importText(imports, newer, {}, preview);
    expect(nonZero(counts)).toEqual({ rows: 605, releases: 605, new: 600, joined: 5 });
    expect(dryRuns).toEqual([
      { counts: { rows: 303, releases: 303, new: 300, joined: 3 }, first: 'Other 0' },
    ]);
    expect(await releaseNames(imports)).toHaveLength(610);
    expect(await filledStagingTablesOf(imports)).toEqual([]);
  });

  test('plans a dry run with the result of an import that ran during its staging', async () => {
    const imports = await useEngine();
    await importText(imports, xml(rows('Old', 10)));
    const dry = await importText(imports, xml(rows('Old', 12)), { dryRun: true }, async () => {
      await importText(imports, xml(rows('Old', 11)));
    });
    // The dry run is planned once its rows are staged. At that time, the import has ended.
    expect(nonZero(dry.counts)).toEqual({ rows: 12, releases: 12, new: 1, unchanged: 11 });
    expect(await releaseNames(imports)).toHaveLength(11);
  });

  test('hides an import from dry runs in any process while it is written', async () => {
    const imports = await useEngine();
    const another = await imports.another();
    await importText(imports, xml(rows('Old', 10)));
    const [isWriting, resume] = [gate(), gate()];
    let parts = 0;
    imports.engine.beforeRoomCheck = async () => {
      parts += 1;
      if (parts < 3) return;
      isWriting.open();
      await resume.opened;
    };
    const newer = xml([...rows('Old', 10), ...rows('New', many)]);
    const running = importText(imports, newer);
    await isWriting.opened;
    const hidden = imports.engine.read.selectFrom('release').select('id').where('id', '>', 10);
    expect((await hidden.execute()).length).toBeGreaterThan(0);
    for (const one of [imports, another]) {
      for (const [dat, counts] of [
        [newer, { rows: many + 10, releases: many + 10, new: many, joined: 10 }],
        [
          xml([...rows('Old', 9), game('New 3', 'x')]),
          { rows: 10, releases: 10, new: 1, unchanged: 9, gone: 1 },
        ],
        [xml([{ name: 'New 1', fields: { genre: 'x' } }]), { rows: 1 }],
      ] as const) {
        const outcome = await importText(one, dat, { dryRun: true });
        expect(nonZero(outcome.counts)).toEqual(counts);
      }
    }
    resume.open();
    expect(nonZero((await running).counts)).toMatchObject({ new: many });
    expect(await releaseNames(another)).toHaveLength(many + 10);
  });

  test('refuses a dry run if an import ends while it is planned', async () => {
    const imports = await useEngine();
    const another = await imports.another();
    await importText(imports, xml(rows('Old', 10)));
    const dryRun = importText(imports, xml(rows('Old', 12)), { dryRun: true }, async () => {
      imports.engine.afterStage = async (result) => {
        const isPlan = result instanceof Object && 'basis' in result;
        if (isPlan) await importText(another, xml(rows('Else', 3), 'Quite - Other'));
      };
    });
    await expect(dryRun).rejects.toMatchObject({
      kind: 'refused',
      message: 'another import changed the catalogue meanwhile: run it again',
    });
  });

  test('reports the first of several failures while rows are staged', async () => {
    const imports = await useEngine();
    let stages = 0;
    imports.engine.beforeStage = async () => {
      stages += 1;
      if (stages === 1) return; // the tables are created
      const isFirst = stages === 2;
      if (isFirst) await pause(20); // it takes longer to find out that the disk is full
      throw new Error(isFirst ? 'the disk is full' : 'no such table');
    };
    await expect(importText(imports, xml(rows('A', 20)))).rejects.toThrow('the disk is full');
    expect(stages).toBeGreaterThan(2);
  });

  test('drops the staged rows of a failed import before the next import', async () => {
    const imports = await useEngine();
    const failing = importText(imports, xml(rows('A', 2_000)), {}, async () => {
      imports.engine.beforeStage = () => {
        throw new Error('the disk is gone');
      };
    });
    await expect(failing).rejects.toThrow('the disk is gone');
    imports.engine.beforeStage = () => {};
    expect(await filledStagingTablesOf(imports)).not.toEqual([]);
    const { counts } = await importText(imports, xml(rows('B', 3)));
    expect(nonZero(counts)).toEqual({ rows: 3, releases: 3, new: 3 });
    expect(await filledStagingTablesOf(imports)).toEqual([]);
  });
});
