import { describe, expect, test } from 'vitest';
import { compareByCodePoint } from '../../src/core/shared/text.ts';
import { game, rom, xml } from './support/dat-text.ts';
import { imported, useImports } from './support/imports-fixture.ts';

describe('an import of new releases', () => {
  test('gives a few releases IDs in the order of the file', async () => {
    const imports = await useImports();
    const rows = [
      game('b', '1', { description: 'first' }),
      game('\u{1F600}', '2'),
      game('B', '3'),
      game('\uFF21', '4'),
      game('b', '5', { description: 'second' }),
      game('a', '6'),
    ];
    const path = await imports.write('unsorted.dat', xml(rows));
    const { samples } = imported((await imports.run(path))[0]);
    expect(samples.new).toEqual(rows.map(({ name }) => name));
    const releases = imports.query('SELECT id, name, description FROM release ORDER BY id');
    expect(releases).toEqual(
      rows.map(({ name, description = '' }, index) => ({ id: index + 1, name, description })),
    );
  });

  test('gives many releases IDs by name, so that no table depends on their order', {
    tags: ['full'],
  }, async () => {
    const name = (i: number) => `Game ${(i * 7919) % 2000}`;
    const rows = Array.from({ length: 2000 }, (_, i) =>
      game(name(i), name(i), {
        serial: `ABCD-${name(i)}`,
        roms: [rom(`${name(i)} a`), rom(`${name(i)} b`)],
      }),
    );
    const sorted = rows.toSorted((a, b) => compareByCodePoint(a.name ?? '', b.name ?? ''));
    const dumps: string[] = [];
    for (const some of [rows, sorted, rows.toReversed()]) {
      const imports = await useImports();
      expect(await imports.take(xml(some))).toEqual({ rows: 2000, releases: 2000, new: 2000 });
      const names = imports.query<{ name: string }>('SELECT name FROM release ORDER BY id');
      expect(names).toEqual(sorted.map((row) => ({ name: row.name })));
      // Leave out revisions and numbers of parts: each import has a new revision, and the numbers
      // continue.
      const dump = imports.dump({ withoutHistory: true });
      dumps.push(dump.replaceAll(/"(?:revision|number)":\d+/g, ''));
      expect(await imports.take(xml(rows, undefined, '2'))).toMatchObject({ unchanged: 2000 });
    }
    expect(dumps[1] === dumps[0]).toBe(true);
    expect(dumps[2] === dumps[0]).toBe(true);
  });
});
