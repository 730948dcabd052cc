import { describe, expect, test } from 'vitest';
import { clrmamepro, game, xml } from './support/dat-text.ts';
import { actor, useImports } from './support/imports-fixture.ts';

/** Returns a catalogue, and functions that read and edit the groups of its releases by name. */
async function useGroups() {
  const imports = await useImports();
  const { groups } = imports.catalog;
  const idOf = async (name: string) => (await imports.get(name)).id;
  const namesOf = async (id: number) =>
    (await groups.get(id)).editions.flatMap(({ discs }) =>
      discs.map(({ release }) => release.name),
    );
  return {
    ...imports,
    groupOf: async (name: string) => namesOf(await idOf(name)),
    async move(way: 'join' | 'split', to: string, ...names: string[]) {
      const ids = [];
      for (const name of names) ids.push(await idOf(name));
      await groups[way](await idOf(to), ids, actor);
    },
  };
}

const puck = game('Puck Man (Japan)', 'p');
const pac = game('Pac-Man (USA)', 'c', { cloneof: 'Puck Man (Japan)' });
const parents = [puck, pac, game('Other (USA)', 'o')];

describe.each([
  ['a Logiqx DAT', xml],
  ['a clrmamepro DAT', clrmamepro],
])('the parents of %s', (_, write) => {
  test('group releases of different titles', async () => {
    const { take, groupOf, query } = await useGroups();
    await take(write(parents));
    expect(await groupOf('Puck Man (Japan)')).toEqual(['Pac-Man (USA)', 'Puck Man (Japan)']);
    expect(await groupOf('Other (USA)')).toEqual(['Other (USA)']);
    expect(query('SELECT clone_of FROM source_row ORDER BY name')).toEqual([
      { clone_of: '' },
      { clone_of: 'Puck Man (Japan)' },
      { clone_of: '' },
    ]);
  });
});

describe('the grouping of releases', () => {
  test("finds the parents that No-Intro's DATs name by an id", async () => {
    const { take, groupOf } = await useGroups();
    const row = (id: number, name: string, parent = '') =>
      `<game name="${name}" id="${id}"${parent}><rom name="${id}" size="1" crc="0000000${id}"/></game>`;
    const rows = [
      row(2, 'Pac-Man (USA)', ' cloneofid="1"'),
      row(1, 'Puck Man (Japan)'),
      row(3, 'Lost (USA)', ' cloneofid="9"'),
      row(4, 'Own (USA)', ' cloneofid="4"'),
    ];
    await take(`<datafile><header><name>T</name></header>${rows.join('')}</datafile>`);
    expect(await groupOf('Puck Man (Japan)')).toEqual(['Pac-Man (USA)', 'Puck Man (Japan)']);
    expect(await groupOf('Lost (USA)')).toEqual(['Lost (USA)']);
    expect(await groupOf('Own (USA)')).toEqual(['Own (USA)']);
  });

  test('keeps a parent that an editor renames in one group with its variants', async () => {
    const { take, edit, groupOf } = await useGroups();
    await take(xml(parents));
    await edit('Puck Man (Japan)', { name: 'Renamed' });
    expect(await groupOf('Renamed')).toEqual(['Pac-Man (USA)', 'Renamed']);
  });

  test('follows the parents in the newest DAT of a source', async () => {
    const { take, groupOf } = await useGroups();
    await take(xml([puck, game('Pac-Man (USA)', 'c'), ...parents.slice(2)]));
    expect(await groupOf('Pac-Man (USA)')).toEqual(['Pac-Man (USA)']);
    expect(await take(xml(parents, undefined, '2'))).toMatchObject({ changed: 2, unchanged: 1 });
    expect(await groupOf('Pac-Man (USA)')).toHaveLength(2);
    await take(xml([puck, game('Pac-Man (USA)', 'c'), ...parents.slice(2)], undefined, '3'));
    expect(await groupOf('Pac-Man (USA)')).toEqual(['Pac-Man (USA)']);
  });

  test('uses the parents of any source, in whatever order the sources are imported', async () => {
    const bare = xml([game('Pac-Man (USA)', 'c'), game('Puck Man (Japan)', 'p')]);
    const withParents = xml(parents);
    for (const order of [
      [bare, withParents],
      [withParents, bare],
    ]) {
      const { take, groupOf } = await useGroups();
      for (const text of order) await take(text, { source: text === bare ? 'bare' : 'parents' });
      expect(await groupOf('Pac-Man (USA)')).toEqual(['Pac-Man (USA)', 'Puck Man (Japan)']);
    }
  });

  test('ignores a too long parent and the row itself, and groups by a missing parent', async () => {
    const { take, groupOf } = await useGroups();
    await take(
      xml([
        game('A (USA)', 'a', { cloneof: 'A (USA)' }),
        game('B (USA)', 'b', { cloneof: 'x'.repeat(1_001) }),
        game('C (USA)', 'c', { cloneof: 'Gone (Japan)' }),
        game('Gone (Europe)', 'd'),
      ]),
    );
    expect(await groupOf('A (USA)')).toEqual(['A (USA)']);
    expect(await groupOf('B (USA)')).toEqual(['B (USA)']);
    expect(await groupOf('C (USA)')).toEqual(['C (USA)', 'Gone (Europe)']);
  });

  test('groups all releases of a large import', async () => {
    const { take, groupOf, query } = await useGroups();
    const rows = Array.from({ length: 1_500 }, (_, i) =>
      game(`Game ${i} (USA)`, `${i}`, i === 0 ? {} : { cloneof: 'Game 0 (USA)' }),
    );
    await take(xml(rows));
    expect(query('SELECT DISTINCT group_key FROM release')).toEqual([{ group_key: 'game 0' }]);
    expect(await groupOf('Game 7 (USA)')).toHaveLength(1_500);
  });
});

describe('edits of groups', () => {
  const first = [game('A (USA)', 'a'), game('B (USA)', 'b'), game('B (Japan)', 'c')];
  const renamed = [
    game('A: New (USA)', 'a'),
    game('B: New (USA)', 'b'),
    game('B: New (Japan)', 'c', { cloneof: 'B: New (USA)' }),
  ];
  const others = [game('A (Europe)', 'd'), game('B (Europe)', 'e')];

  test('survive imports in any order', async () => {
    const imports = [
      () => xml(renamed, undefined, '2'),
      () => xml(first, undefined, '3'),
      () => xml(others),
    ];
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      const { take, move, groupOf, get } = await useGroups();
      await take(xml(first), { source: 'first' });
      await move('join', 'A (USA)', 'B (USA)');
      const [a, b] = [await get('A (USA)'), await get('B (USA)')];
      for (const place of order) {
        const source = place === 2 ? 'others' : 'first';
        await take(imports[place]?.() ?? '', { source });
        const names = [await nameOf(get, a.id), await nameOf(get, b.id)];
        const group = await groupOf(names[0] ?? '');
        expect(group).toEqual(expect.arrayContaining(names));
        expect(group.filter((name) => /^B.*Japan/.test(name))).toEqual([]);
      }
    }
    async function nameOf(get: (name: string) => Promise<{ id: number }>, id: number) {
      for (const name of ['A (USA)', 'A: New (USA)', 'B (USA)', 'B: New (USA)']) {
        const found = await get(name).catch(() => null);
        if (found?.id === id) return name;
      }
      throw new Error(`${id} is gone`);
    }
  });

  test('let new releases of another source enter the group of their title', async () => {
    const { take, move, groupOf } = await useGroups();
    await take(xml(first), { source: 'first' });
    await move('join', 'A (USA)', 'B (USA)');
    await take(xml(others), { source: 'others' });
    expect(await groupOf('A (USA)')).toEqual(['A (Europe)', 'A (USA)', 'B (USA)']);
    expect(await groupOf('B (Europe)')).toEqual(['B (Europe)', 'B (Japan)']);
  });

  test('protect releases from being pruned', async () => {
    const { take, move, list } = await useGroups();
    await take(xml(first));
    await move('split', 'B (USA)', 'B (Japan)');
    await take(xml(first.slice(0, 2), undefined, '2'), { prune: true });
    expect(await list()).toHaveLength(3);
    await move('join', 'B (USA)', 'B (Japan)');
    await take(xml(first.slice(0, 2), undefined, '3'), { prune: true });
    expect(await list()).toHaveLength(2);
  });
});
