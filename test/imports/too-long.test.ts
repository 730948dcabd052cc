import { describe, expect, test } from 'vitest';
import { clrmamepro, game, rom, xml } from './support/dat-text.ts';
import { imported, useImports } from './support/imports-fixture.ts';

const others = ['a', 'b', 'c'].map((seed) => game(`Game ${seed}`, seed));
const longName = 'あ'.repeat(1_001);

describe('an import of overlong texts', () => {
  test('leaves out a row over a limit, names its line, and imports the other rows', async () => {
    const imports = await useImports();
    const rows = [
      ...others,
      game(longName, 'd'),
      game('Game e', 'e', { description: 'x'.repeat(65_537) }),
      game('Game f', 'f', { serial: 'é'.repeat(2_049) }),
      game('あ'.repeat(1_000), 'g', { description: 'x'.repeat(65_536), serial: 'é'.repeat(2_048) }),
    ];
    const path = await imports.write('long.dat', xml(rows));
    const { counts, samples } = imported((await imports.run(path))[0]);
    expect(counts).toMatchObject({ rows: 7, new: 4, refusedRows: 3, tooLongRows: 3 });
    expect(samples.refusedRows).toEqual([
      expect.stringMatching(/^line \d+: name must be at most 1000 characters long$/),
      expect.stringMatching(/^line \d+: description must be at most 65536 bytes long$/),
      expect.stringMatching(/^line \d+: serial must be at most 4096 bytes long$/),
    ]);
    expect(await imports.list()).toHaveLength(4);
    // a second import without these rows reports the same values
    const again = imported((await imports.run(path))[0]);
    expect(again.counts).toMatchObject({ unchanged: 4, refusedRows: 3, tooLongRows: 3 });
    expect(again.samples.refusedRows).toEqual(samples.refusedRows);
  });

  test('does not count a release as gone if its row is over a limit', async () => {
    const imports = await useImports();
    const gone = game('Game gone', 'x');
    const [d, e] = [game('Game d', 'd'), game('Game e', 'e')];
    await imports.take(xml([...others, d, e, gone]));
    const newer = xml([
      ...others,
      { ...d, description: 'x'.repeat(65_537), roms: [rom('d2')] },
      { ...e, name: longName },
    ]);
    const dryRun = await imports.take(newer, { prune: true, dryRun: true });
    expect(dryRun).toMatchObject({ gone: 1, pruned: 1, tooLongRows: 2 });
    expect(await imports.take(newer, { prune: true })).toMatchObject({ gone: 1, pruned: 1 });
    const names = (await imports.list()).map(({ name }) => name);
    expect(names).toEqual(['Game a', 'Game b', 'Game c', 'Game d', 'Game e']);
  });

  test('fills nothing from a metadata row with a text over its limit', async () => {
    const imports = await useImports();
    await imports.take(xml(others));
    const facts = (genre: string) => ({ fields: { comment: 'Game a', genre } });
    const long = clrmamepro([facts('x'.repeat(4_097))]);
    expect(await imports.take(long)).toEqual({ rows: 1, refusedRows: 1, tooLongRows: 1 });
    expect((await imports.get('Game a')).meta).toBe(null);
    expect(await imports.take(clrmamepro([facts('x'.repeat(4_096))]))).toMatchObject({ filled: 1 });
  });
});
