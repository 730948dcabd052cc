import { describe, expect, test } from 'vitest';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { clrmamepro, game, type RowText, rom, xml } from './support/dat-text.ts';
import { imported, useImports } from './support/imports-fixture.ts';

const dat = [
  game('By crc', 'a', { roms: [rom('a', { crc: '12345678' })] }),
  game('By serial', 'b', { serial: 'ULES-00288' }),
  game('By name', 'c'),
  game('Untouched', 'd'),
];

const keys: [string, RowText][] = [
  ['By crc', { roms: [{ crc: '12345678' }] }],
  ['By serial', { serial: 'ules 00288', roms: [{ name: 'x.iso', serial: 'ULES00288' }] }],
  ['By name', { name: 'By name' }],
  ['By name', { fields: { comment: 'By name' } }],
];

describe('an import of metadata', () => {
  test.each([
    ['Logiqx', xml],
    ['clrmamepro', clrmamepro],
  ])('matches rows to a release by CRC, by serial or by name: %s', async (_, write) => {
    const imports = await useImports();
    for (const [name, key] of keys) {
      await imports.empty();
      await imports.take(write(dat));
      const row = { ...key, fields: { ...key.fields, genre: 'Puzzle' } };
      const path = await imports.write('genre.dat', write([row]));
      const report = imported((await imports.run(path))[0]);
      expect([key, report.kind, report.counts.filled]).toEqual([key, 'metadata', 1]);
      expect((await imports.get(name)).meta).toEqual({ title: '', manual: false, genre: 'Puzzle' });
      expect((await imports.get('Untouched')).meta).toBeNull();
      expect(await imports.list()).toHaveLength(4);
      expect(imported((await imports.run(path))[0]).counts.filled).toBe(0);
    }
  });

  describe('the release date', () => {
    test.each([
      [{ releaseyear: '2006' }, '2006'],
      [{ releaseyear: '2006', releasemonth: '4' }, '2006-04'],
      [{ releaseyear: '2006', releasemonth: '04', releaseday: '1' }, '2006-04-01'],
      [{ releaseyear: '2006', releaseday: '11' }, '2006'],
      [{ releaseyear: '2006', releasemonth: '2', releaseday: '30' }, '2006-02'],
      [{ releaseyear: '2100', releasemonth: '2', releaseday: '29' }, '2100-02'],
      [{ releaseyear: '2008', releasemonth: '2', releaseday: '29' }, '2008-02-29'],
      [{ releaseyear: '2006', releasemonth: '13' }, '2006'],
      [{ releaseyear: '206', genre: 'x' }, undefined],
      [{ releaseyear: '2006?', genre: 'x' }, undefined],
      [{ releasemonth: '4', genre: 'x' }, undefined],
    ])('is as precise as the known fields: %o', async (fields, date) => {
      const imports = await useImports();
      await imports.take(xml(dat));
      await imports.take(xml([{ name: 'By name', fields }]));
      expect((await imports.get('By name')).meta).toMatchObject({ manual: false });
      expect((await imports.get('By name')).meta?.release_date).toBe(date);
    });

    test('is missing for a month without a year until another file states the year', async () => {
      const imports = await useImports();
      await imports.take(xml(dat));
      await imports.take(xml([{ name: 'By name', fields: { releasemonth: '4' } }]));
      expect((await imports.get('By name')).meta).toBeNull();
      await imports.take(xml([{ name: 'By name', fields: { releaseyear: '2006' } }]));
      expect((await imports.get('By name')).meta?.release_date).toBe('2006-04');
    });
  });

  test('counts a release once for a new serial and genre, and indexes the serial', async () => {
    const imports = await useImports();
    await imports.take(
      xml([{ roms: [{ crc: '12345678' }], serial: 'ABCD-00007', fields: { genre: 'Puzzle' } }]),
    );
    expect(await imports.take(xml(dat))).toMatchObject({ new: 4, filled: 1 });
    const found = async (search: string) =>
      (await imports.list({ search })).map(({ name }) => name);
    expect(await found('abcd-00007 crc')).toEqual(['By crc']);
    // Another source adds facts to the release. The earlier facts do not change.
    const other = xml([game('Anders', 'a', { roms: [rom('a', { crc: '12345678' })] })]);
    expect(await imports.take(other, { source: 'other' })).toMatchObject({ joined: 1 });
    expect(await found('abcd00007 anders')).toEqual(['By crc']);
    expect(await imports.get('By crc')).toMatchObject({ serial: 'ABCD-00007' });
  });

  const orders = 'has the same result for files in $count orders';
  testSomeAndMany(orders, { some: 5, many: 18 }, async (count) => {
    const files = [
      xml(dat),
      xml([{ name: 'By crc', fields: { genre: 'Puzzle' } }]),
      xml([{ roms: [{ crc: '12345678' }], serial: 'ABCD-00007' }]),
      xml([{ serial: 'ABCD-00007', fields: { releaseyear: '2006', franchise: 'Series' } }]),
      xml([{ roms: [{ crc: '12345678' }], fields: { releasemonth: '4' } }]),
    ];
    const results: string[] = [];
    const imports = await useImports();
    const all = permutations([0, 1, 2, 3, 4]);
    for (const order of all.filter((_, i) => i % Math.ceil(all.length / count) === 0)) {
      await imports.empty();
      for (const index of order) await imports.take(files[index] ?? '');
      const items = await imports.list();
      const releases = items.map(({ id }) => imports.catalog.releases.get(id));
      results.push(
        JSON.stringify(
          (await Promise.all(releases)).map((one) => ({ ...one, id: 0, revision: 0 })),
        ),
      );
      expect((await imports.list({ search: 'abcd00007' })).map(({ name }) => name)).toEqual([
        'By crc',
      ]);
    }
    expect(new Set(results).size).toBe(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject([
      {
        name: 'By crc',
        serial: 'ABCD-00007',
        franchise: 'Series',
        meta: { genre: 'Puzzle', release_date: '2006-04' },
      },
      { meta: null },
      { meta: null },
      { meta: null },
    ]);
  });

  test('prefers a match by CRC to an earlier one by name and a later one by serial', async () => {
    const imports = await useImports();
    const one = game('One', 'a', { serial: 'ABCD-00001', roms: [rom('a', { crc: '12345678' })] });
    await imports.take(xml([one]));
    const genre = async () => (await imports.get('One')).meta?.genre;
    await imports.take(xml([{ name: 'One', fields: { genre: 'name' } }]));
    expect(await genre()).toBe('name');
    await imports.take(xml([{ roms: [{ crc: '12345678' }], fields: { genre: 'crc' } }]));
    expect(await genre()).toBe('crc');
    await imports.take(xml([{ serial: 'ABCD-00001', fields: { genre: 'serial' } }]));
    expect(await genre()).toBe('crc');
  });

  test('fills a serial only if it is missing and was not cleared manually', async () => {
    const imports = await useImports();
    const roms = (seed: string, crc: string) => ({ roms: [rom(seed, { crc })] });
    await imports.take(
      xml([
        game('Has', 'a', { serial: 'ABCD-00001', ...roms('a', '00000001') }),
        game('Lacks', 'b', roms('b', '00000002')),
        game('Emptied', 'c', { serial: 'ABCD-00003', ...roms('c', '00000003') }),
      ]),
    );
    await imports.edit('Emptied', { serial: '' });
    const serials = [1, 2, 3].map((i) => ({
      roms: [{ crc: `0000000${i}` }],
      serial: `WXYZ-0000${i}`,
    }));
    expect(await imports.take(xml(serials))).toMatchObject({ filled: 1 });
    const all = (await imports.list()).map(({ name, serial }) => [name, serial]);
    expect(all).toEqual([
      ['Emptied', ''],
      ['Has', 'ABCD-00001'],
      ['Lacks', 'WXYZ-00002'],
    ]);
    expect(await imports.list({ search: 'wxyz 00002' })).toHaveLength(1);
    expect(await imports.list({ search: 'wxyz-00001' })).toEqual([]);
  });

  test('fills the serial of a row without fields only in releases of its exact name', async () => {
    const imports = await useImports();
    const rows = ['Same (Japan)', 'Same (USA)', 'same (Japan)', 'Has one (Japan)'];
    await imports.take(
      xml(
        rows.map((name, i) =>
          game(name, `${i}`, {
            serial: name === 'Has one (Japan)' ? 'X-1' : '',
            roms: [rom(`${i}`)],
          }),
        ),
      ),
    );
    const path = await imports.write(
      'serial.dat',
      clrmamepro([
        { fields: { comment: 'Same (Japan)' }, roms: [{ serial: 'ULJM-00001' }] },
        { fields: { comment: 'Same' }, roms: [{ serial: 'ULJM-00002' }] },
        { fields: { comment: 'Has one (Japan)' }, roms: [{ serial: 'ULJM-00003' }] },
      ]),
    );
    const report = imported((await imports.run(path))[0]);
    expect(report.counts).toMatchObject({ rows: 3, filled: 1, refusedRows: 0 });
    const serials = (await imports.list()).map(({ name, serial }) => [name, serial]);
    expect(Object.fromEntries(serials)).toEqual({
      'Same (Japan)': 'ULJM-00001',
      'Same (USA)': '',
      'same (Japan)': '',
      'Has one (Japan)': 'X-1',
    });
  });

  test('ignores metadata of another platform, and reports rows without content', async () => {
    const imports = await useImports();
    await imports.take(xml(dat));
    const rows = [{ name: 'By name', fields: { genre: 'Puzzle' } }, { description: 'nothing' }];
    const path = await imports.write('genre.dat', xml(rows, 'Test - Handheld'));
    const report = imported((await imports.run(path))[0]);
    expect(report.counts).toMatchObject({ rows: 2, filled: 0, refusedRows: 1 });
    expect(report.samples.refusedRows).toEqual([
      'line 5: it has no name, and says nothing that releases keep',
    ]);
    expect((await imports.get('By name')).meta).toBeNull();
  });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
