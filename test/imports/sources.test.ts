import { describe, expect, test } from 'vitest';
import { clrmamepro, game, hashes, platform, rom, xml } from './support/dat-text.ts';
import { useImports } from './support/imports-fixture.ts';

describe('the source that a DAT continues', () => {
  const ten = Array.from({ length: 10 }, (_, i) => game(`Game ${i}`, `seed ${i}`));
  const others = Array.from({ length: 10 }, (_, i) => game(`Other ${i}`, `other ${i}`));

  test('has the same header and half of the rows, and its missing rows are gone', async () => {
    const imports = await useImports();
    expect(await imports.take(xml(ten))).toEqual({ rows: 10, releases: 10, new: 10 });
    const half = xml([...ten.slice(0, 5), ...others.slice(0, 5)]);
    expect(await imports.take(half)).toEqual({
      rows: 10,
      releases: 10,
      unchanged: 5,
      new: 5,
      gone: 5,
    });
    expect(await imports.list()).toHaveLength(15);
  });

  test('is a new source if fewer than half of the rows match, and no row is gone', async () => {
    const imports = await useImports();
    await imports.take(xml(ten));
    const less = xml([...ten.slice(0, 4), ...others.slice(0, 5)]);
    expect(await imports.take(less)).toEqual({ rows: 9, releases: 9, joined: 4, new: 5 });
    expect(imports.query('SELECT * FROM source')).toHaveLength(2);
  });

  test('is a new source if the header differs, even if all rows are the same', async () => {
    const imports = await useImports();
    await imports.take(xml(ten));
    const counts = await imports.take(xml(ten, 'Test: CONSOLE'));
    expect(counts).toEqual({ rows: 10, releases: 10, joined: 10 });
    expect(imports.query('SELECT * FROM platform')).toHaveLength(1);
  });

  test('is a new source if the names of the rows differ, and both names are found', async () => {
    const imports = await useImports();
    await imports.take(xml(ten));
    const named = ten.map((row, i) => ({ ...row, name: `Spiel ${i}` }));
    expect(await imports.take(xml(named))).toEqual({ rows: 10, releases: 10, joined: 10 });
    expect((await imports.list()).map(({ name }) => name)).toEqual(ten.map(({ name }) => name));
    expect((await imports.list({ search: 'spiel 3' })).map(({ name }) => name)).toEqual(['Game 3']);
    expect((await imports.list({ search: 'game 3' })).map(({ name }) => name)).toEqual(['Game 3']);
    expect(await imports.list({ q: 'spiel' })).toEqual([]);
    expect(await imports.take(xml(named))).toEqual({ rows: 10, releases: 10, unchanged: 10 });
    expect(await imports.take(xml(ten))).toEqual({ rows: 10, releases: 10, unchanged: 10 });
  });

  test('is the source given by --source, whatever the rows are', async () => {
    const imports = await useImports();
    const source = 'mine';
    expect(await imports.take(xml(ten), { source })).toMatchObject({ new: 10 });
    expect(await imports.take(xml(others), { source })).toEqual({
      rows: 10,
      releases: 10,
      new: 10,
      gone: 10,
    });
    expect(await imports.take(xml(others), { source: 'yours' })).toMatchObject({ joined: 10 });
    const names = imports.query('SELECT name FROM source ORDER BY id');
    expect(names).toEqual([{ name: 'mine' }, { name: 'yours' }]);
  });

  test('does not rename or change releases that another source brought first', async () => {
    const imports = await useImports();
    await imports.take(xml(ten), { source: 'first' });
    const named = ten.map((row, i) => ({ ...row, name: `Spiel ${i}` }));
    await imports.take(xml(named), { source: 'second' });
    const renamed = named.map((row, i) => ({ ...row, name: `Jeu ${i}`, region: 'France' }));
    const counts = await imports.take(xml(renamed), { source: 'second' });
    expect(counts).toMatchObject({ renamed: 10 });
    const items = await imports.list();
    expect(items.map(({ name, region }) => [name, region])).toEqual(
      ten.map(({ name }) => [name, '']),
    );
    expect(await imports.list({ search: 'spiel' })).toEqual([]);
    expect(await imports.list({ search: 'jeu' })).toHaveLength(10);
  });

  test('is overruled by the first source of a release, even by a younger source', async () => {
    const imports = await useImports();
    await imports.take(xml(ten), { source: 'older' });
    await imports.take(xml([game('Its name', 'late')]), { source: 'younger' });
    const joins = xml([...ten, game('Another name', 'late')]);
    expect(await imports.take(joins, { source: 'older' })).toMatchObject({ joined: 1 });
    const changes = xml([...ten, game('A third name', 'late', { region: 'Asia' })]);
    expect(await imports.take(changes, { source: 'older' })).toMatchObject({ renamed: 1 });
    expect(await imports.get('Its name')).toMatchObject({ region: '' });
    const own = xml([game('Its newer name', 'late', { region: 'Japan' })]);
    expect(await imports.take(own, { source: 'younger' })).toMatchObject({ renamed: 1 });
    expect(await imports.get('Its newer name')).toMatchObject({ region: 'Japan' });
  });

  test('moves only its own releases with --system', async () => {
    const imports = await useImports();
    await imports.take(xml(ten.slice(0, 5)), { source: 'first' });
    await imports.take(xml(ten), { source: 'second', system: 'films' });
    const systems = async () => (await imports.list()).map(({ system }) => system);
    expect(await systems()).toEqual([...Array(5).fill('games'), ...Array(5).fill('films')]);
    await imports.take(xml(ten), { source: 'second', system: 'music' });
    expect(await systems()).toEqual([...Array(5).fill('games'), ...Array(5).fill('music')]);
  });
});

describe('the same dump', () => {
  const { crc, md5, sha1 } = hashes('dump');
  const other = hashes('else');
  const sizes = { name: 'x.bin', size: 7 };

  test.each([
    ['SHA-1', { ...sizes, sha1 }, { ...sizes, sha1, md5 }, true],
    [
      'another SHA-1 in spite of equal MD5 and CRC',
      { ...sizes, sha1, md5, crc },
      { ...sizes, sha1: other.sha1, md5, crc },
      false,
    ],
    [
      'MD5 if one row lacks SHA-1',
      { ...sizes, sha1, md5, crc },
      { ...sizes, md5, crc: other.crc },
      true,
    ],
    [
      'another MD5 if one row lacks SHA-1',
      { ...sizes, sha1, md5, crc },
      { ...sizes, md5: other.md5, crc },
      false,
    ],
    ['CRC and size if one row lacks both', { ...sizes, sha1, md5, crc }, { ...sizes, crc }, true],
    [
      'CRC if one row has SHA-1 and the other MD5',
      { ...sizes, sha1, crc },
      { ...sizes, md5, crc },
      true,
    ],
    ['CRC with another size', { ...sizes, sha1, crc }, { ...sizes, size: 8, crc }, false],
    ['CRC without a size', { ...sizes, sha1, crc }, { name: 'x', crc }, false],
    ['no common hash', { ...sizes, sha1 }, { ...sizes, md5 }, false],
  ])('is recognised only by hashes that both rows have: %s', async (_, one, two, areSame) => {
    const imports = await useImports();
    // The second row of each text shows that the text is a DAT.
    const first = xml([{ name: 'One', roms: [one] }, game('First', 'first')]);
    const second = xml([{ name: 'Two', roms: [two] }, game('Second', 'second')]);
    await imports.take(first);
    expect(await imports.take(second)).toMatchObject(areSame ? { joined: 1, new: 1 } : { new: 2 });
    const reversed = await useImports();
    await reversed.take(second);
    expect(await reversed.take(first)).toMatchObject(areSame ? { joined: 1, new: 1 } : { new: 2 });
  });

  test('is recognised in rows of several ROMs only if all ROMs match, in any order', async () => {
    const imports = await useImports();
    await imports.take(xml([{ name: 'Discs', roms: [rom('a'), rom('b'), rom('c')] }]));
    const roms = [rom('c'), rom('a'), rom('b')];
    const two = xml([
      { name: 'Scheiben', roms },
      game('x', 'a'),
      { name: 'y', roms: [rom('a'), rom('b')] },
    ]);
    expect(await imports.take(two)).toMatchObject({ joined: 1, new: 2 });
  });

  test('is recognised by name only if both rows have no hashes', async () => {
    const imports = await useImports();
    await imports.take(xml([{ name: 'A', roms: [{ name: 'a', size: 1 }] }, game('B', 'b')]));
    const two = xml([
      { name: 'A', roms: [{ name: 'z', size: 2 }] },
      { name: 'B', roms: [{ name: 'b', size: 3 }] },
      { name: 'C', roms: [{ name: 'a', size: 1 }] },
    ]);
    expect(await imports.take(two, { source: 'two' })).toMatchObject({ joined: 1, new: 2 });
    expect(await imports.take(two, { source: 'two' })).toEqual({
      rows: 3,
      releases: 3,
      unchanged: 3,
    });
  });

  test('is two releases under two names in a DAT, which other sources join by name', async () => {
    const imports = await useImports();
    await imports.take(xml([game('One', 'same'), game('Two', 'same')]));
    expect(await imports.list()).toHaveLength(2);
    const counts = await imports.take(xml([game('Two', 'same', { serial: 'ABCD-12345' })]), {
      source: 's',
    });
    expect(counts).toEqual({ rows: 1, releases: 1, joined: 1 });
    const found = await imports.list({ search: 'abcd12345' });
    expect(found.map(({ name }) => name)).toEqual(['Two']);
    const third = xml([game('Drei', 'same'), game('Zwei', 'same'), game('Vier', 'same')]);
    expect(await imports.take(third, { source: 't' })).toEqual({
      rows: 3,
      releases: 3,
      joined: 2,
      new: 1,
    });
  });

  test('is not assumed for two rows of one name, now or in later imports', async () => {
    const imports = await useImports();
    const rows = [game('Twin', 'one'), game('Twin', 'two', { region: 'Japan' })];
    expect(await imports.take(xml(rows))).toMatchObject({ new: 2 });
    const before = imports.dump({ withoutHistory: true });
    expect(await imports.take(xml(rows.toReversed()))).toEqual({
      rows: 2,
      releases: 2,
      unchanged: 2,
    });
    expect(imports.dump({ withoutHistory: true })).toBe(before);
  });
});

describe('an import of rows with the same dump', () => {
  test.each([
    ['Logiqx', xml],
    ['clrmamepro', clrmamepro],
  ])('merges rows of one name into one release with all of their serials: %s', async (_, write) => {
    const imports = await useImports();
    const rows = [
      game('A', 'a', { serial: 'ULES-00001', roms: [rom('a', { serial: 'ULES-00001' })] }),
      game('B', 'b', { serial: 'ULES-00009' }),
      game('A', 'a', {
        serial: 'ULUS-10002',
        region: 'USA',
        roms: [rom('a', { serial: 'ULUS-10002' })],
      }),
      game('C', 'c'),
      game('A', 'a', { serial: 'ULES-00001' }),
      game('A', 'a'),
    ];
    expect(await imports.take(write(rows))).toEqual({ rows: 6, releases: 3, new: 3 });
    const release = await imports.get('A');
    expect(release).toMatchObject({ serial: 'ULES-00001, ULUS-10002', region: 'USA' });
    expect(release.roms).toHaveLength(1);
    expect(release.roms[0]).toMatchObject({ serial: 'ULES-00001, ULUS-10002' });
    for (const search of ['ULES-00001', 'ules00001', 'ULUS 10002', 'ulus10002']) {
      expect([search, (await imports.list({ search })).map(({ name }) => name)]).toEqual([
        search,
        ['A'],
      ]);
    }
    const before = imports.dump({ withoutHistory: true });
    expect(await imports.take(write(rows))).toEqual({ rows: 6, releases: 3, unchanged: 3 });
    expect(imports.dump({ withoutHistory: true })).toBe(before);
  });

  test('creates another release for another platform', async () => {
    const imports = await useImports();
    await imports.take(xml([game('A', 'a')]));
    expect(await imports.take(xml([game('A', 'a')], 'Test - Handheld'))).toMatchObject({ new: 1 });
    expect((await imports.list({ platform: platform.toUpperCase() })).length).toBe(1);
  });
});
