import { expect, test } from 'vitest';
import type { Actor } from '../../../src/core/shared/requests/actor.ts';
import { SqlImportRecords } from '../../../src/sql/imports/import-records.ts';
import { groupKeyOf } from '../../../src/sql/releases/groups/group-key.ts';
import { SqlGroupRecords } from '../../../src/sql/releases/groups/group-records.ts';
import { game, xml } from '../../imports/support/dat-text.ts';
import { importText } from '../../imports/support/engine-fixture.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { steppingClock, useEngine } from '../fixtures/use-engine.ts';
import { addReleases, addRom, type ReleaseRow } from '../suites/release-rows.ts';

const actor: Actor = { kind: 'user', userId: 7, username: 'änn', address: '::1' };
const platform = 'Sony - PSP';

const names = [
  'Foo (USA)',
  'The Foo (Europe) (Disc 1)',
  'Foo, The (Japan) [b]',
  'FÖö [x] (USA)',
  'Foo 2 (USA)',
  'Bar (USA)',
  'Bar (Europe)',
];

describeEngines('$name: groups of releases', ({ open }) => {
  async function useGroups(rows: readonly ReleaseRow[]) {
    const engine = await useEngine(open);
    const ids = await addReleases(engine, rows);
    const records = new SqlGroupRecords({ engine, clock: steppingClock() });
    const id = (name: string) => ids[rows.findIndex((row) => row.name === name)] ?? 0;
    const groupOf = async (name: string) =>
      (await records.find(id(name)))?.releases.map((release) => release.name);
    const move = (way: 'join' | 'split', to: string, ...moved: string[]) =>
      records[way](id(to), moved.map(id), actor);
    return { engine, records, id, ids, groupOf, move };
  }
  const useFoo = () => useGroups(names.map((name) => ({ name, platform })));

  test('have the same keys in the database as in the program', async () => {
    const texts = [
      ...names,
      ...['', ' ', '(USA)', ' (USA)', 'a(b)', 'a [b] (c)', 'a (b) [c]', '[BIOS] A (World)', 'A ( '],
      ...[
        'The (USA)',
        'The [b]',
        'Les Dieux, Le (F) x',
        '大神 (Japan)',
        `${'ö'.repeat(399)}xy (USA)`,
      ],
      ...['\u{1F3AE}'.repeat(401), "O'Neil (%)", 'a\u00a0(b)', 'A  (USA)'],
    ];
    const { engine, ids } = await useGroups(texts.map((name) => ({ name, platform })));
    const rows = await engine.read
      .selectFrom('listed_release')
      .select(['id', 'group_key'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual(texts.map((name, i) => ({ id: ids[i], group_key: groupKeyOf(name) })));
  });

  test('contain the releases of one platform with the same title', async () => {
    const other = { name: 'Foo (Asia)', platform: 'UMD' };
    const none = { name: 'Foo (Korea)' };
    const rows = [...names.map((name) => ({ name, platform })), other, none];
    const { records, groupOf, id } = await useGroups(rows);
    expect(await groupOf('Foo (USA)')).toEqual(names.slice(0, 4));
    expect(await groupOf('Foo 2 (USA)')).toEqual(['Foo 2 (USA)']);
    expect(await groupOf('Foo (Asia)')).toEqual(['Foo (Asia)']);
    expect(await records.find(id('Foo (Korea)'))).toMatchObject({ platform: '', releases: [{}] });
    expect(await records.find(999_999)).toBeNull();
    await expect(records.join(id('Foo (USA)'), [id('Foo (Asia)')], actor)).rejects.toThrow(
      `release_ids: ${id('Foo (Asia)')} is not a release of this platform`,
    );
    await expect(records.join(id('Foo (Korea)'), [id('Foo (Korea)')], actor)).rejects.toThrow(
      'is not a release of this platform',
    );
  });

  test('include the hashes of the first ROM of each release', async () => {
    const { engine, records, id } = await useFoo();
    const rom = { size: 1, crc32: 'c'.repeat(8), md5: '', sha1: 'a'.repeat(40) };
    await addRom(engine, id('Foo 2 (USA)'), rom);
    const found = await records.find(id('Foo 2 (USA)'));
    expect(found).toMatchObject({ platform, releases: [{ content: `${rom.sha1}  ${rom.crc32}` }] });
  });

  test('are joined and split, with an entry in the audit', async () => {
    const { engine, records, groupOf, id, move } = await useFoo();
    await move('join', 'Foo 2 (USA)', 'Bar (Europe)', 'Bar (USA)');
    const joined = ['Foo 2 (USA)', 'Bar (USA)', 'Bar (Europe)'];
    expect(await groupOf('Bar (USA)')).toEqual(joined);
    expect((await records.find(id('Bar (USA)')))?.releases.map(({ edited }) => edited)).toEqual([
      true,
      true,
      true,
    ]);
    await move('split', 'Bar (USA)', 'Bar (Europe)');
    expect(await groupOf('Bar (Europe)')).toEqual(['Bar (Europe)']);
    expect(await groupOf('Foo 2 (USA)')).toEqual(['Foo 2 (USA)', 'Bar (USA)']);
    const audit = engine.read
      .selectFrom('audit')
      .select(['action', 'target', 'username', 'detail']);
    const entry = (action: string, ...releases: string[]) => ({
      action,
      target: `group/${id('Foo 2 (USA)')}`,
      username: 'änn',
      detail: JSON.stringify({ releases: releases.map(id) }),
    });
    expect(await audit.orderBy('id').execute()).toEqual([
      entry('group.join', 'Bar (Europe)', 'Bar (USA)'),
      entry('group.split', 'Bar (Europe)'),
    ]);
  });

  test('are no longer marked as edited after a join undoes a split', async () => {
    const { engine, groupOf, move } = await useFoo();
    await move('split', 'Foo (USA)', 'FÖö [x] (USA)');
    expect(await groupOf('Foo (USA)')).toEqual(names.slice(0, 3));
    await move('join', 'Foo (USA)', 'FÖö [x] (USA)');
    expect(await groupOf('Foo (USA)')).toEqual(names.slice(0, 4));
    await move('join', 'Foo (USA)', 'Bar (USA)');
    await move('split', 'Foo (USA)', 'Bar (USA)');
    const edited = await engine.read
      .selectFrom('release')
      .select('name')
      .where('edited_group', 'is not', null)
      .execute();
    expect(edited).toEqual([{ name: 'Bar (USA)' }]);
    await move('join', 'Bar (Europe)', 'Bar (USA)');
    expect(await groupOf('Bar (USA)')).toEqual(['Bar (USA)', 'Bar (Europe)']);
    await move('join', 'Foo (USA)', 'Bar (USA)');
    await move('join', 'Bar (Europe)', 'Bar (USA)');
    const { n } = await engine.read
      .selectFrom('release')
      .select((is) => is.fn.countAll<number>().as('n'))
      .where('edited_group', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(n).toBe(0);
  });

  test('are no longer marked as edited after a split undoes a join', async () => {
    const { engine, groupOf, move } = await useFoo();
    await move('join', 'Foo 2 (USA)', 'Bar (Europe)', 'Bar (USA)');
    await move('split', 'Foo 2 (USA)', 'Bar (Europe)', 'Bar (USA)');
    expect(await groupOf('Bar (USA)')).toEqual(['Bar (USA)', 'Bar (Europe)']);
    expect(await groupOf('Foo 2 (USA)')).toEqual(['Foo 2 (USA)']);
    const edited = engine.read.selectFrom('release').select('name');
    expect(await edited.where('edited_group', 'is not', null).execute()).toEqual([]);
  });

  test('follow the parents of an imported DAT', async () => {
    const { engine, records } = await useGroups([]);
    const imports = { records: new SqlImportRecords({ engine, clock: steppingClock() }) };
    const parents = [
      game('Puck Man (Japan)', 'p'),
      game('Pac-Man (USA)', 'c', { cloneof: 'Puck Man (Japan)' }),
    ];
    await importText(imports, xml(parents, platform));
    const found = async () => (await records.find(1))?.releases.map(({ name }) => name);
    expect(await found()).toEqual(['Puck Man (Japan)', 'Pac-Man (USA)']);
    const without = [game('Puck Man (Japan)', 'p'), game('Pac-Man (USA)', 'c')];
    await importText(imports, xml(without, platform, '2'));
    expect(await found()).toEqual(['Puck Man (Japan)']);
    await importText(imports, xml(parents, platform, '3'));
    expect(await found()).toEqual(['Puck Man (Japan)', 'Pac-Man (USA)']);
    await importText(imports, xml(parents, platform, '4'), { prune: { keep: new Set() } });
    const large = Array.from({ length: 600 }, (_, i) =>
      game(`Game ${i} (USA)`, `${i}`, { cloneof: 'Game 0 (USA)' }),
    );
    await importText(imports, xml(large, platform, '5'), { source: 'large' });
    expect((await records.find(3))?.releases).toHaveLength(600);
  });

  test('refuse unknown releases and those of other groups, and cannot become empty', async () => {
    const { engine, records, id, move } = await useFoo();
    const foo = id('Foo (USA)');
    const bar = id('Bar (USA)');
    await expect(move('split', 'Foo (USA)', 'Foo (USA)', 'Bar (USA)')).rejects.toThrow(
      `release_ids: ${bar} is not a release of this group`,
    );
    await expect(move('split', 'Bar (USA)', 'Bar (Europe)', 'Bar (USA)')).rejects.toThrow(
      'release_ids: at least one release must stay in the group',
    );
    await expect(records.join(foo, [999_999], actor)).rejects.toThrow(
      'release_ids: 999999 is not a release of this platform',
    );
    for (const way of ['join', 'split'] as const) {
      await expect(records[way](999_999, [foo], actor)).rejects.toThrow('not found');
    }
    expect(await engine.read.selectFrom('audit').select('id').execute()).toEqual([]);
  });

  test('contain a release that is joined while other groups are joined concurrently', async () => {
    const { groupOf, move } = await useFoo();
    await Promise.all([
      move('join', 'Bar (USA)', 'Foo 2 (USA)'),
      move('join', 'Bar (USA)', 'Foo (USA)'),
      move('join', 'Foo 2 (USA)', 'Bar (Europe)'),
    ]);
    const found = await groupOf('Bar (USA)');
    expect(found).toContain('Foo (USA)');
  });
});
