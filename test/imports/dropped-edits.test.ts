import { describe, expect, test } from 'vitest';
import type { EditableField } from '../../src/core/shared/release-fields.ts';
import { game, hashes, xml } from './support/dat-text.ts';
import { actor, useImports } from './support/imports-fixture.ts';

const own = { description: 'theirs', region: 'Europe', serial: 'ABCD-00001' };
const rows = [game('A', 'a', own), game('B', 'b'), game('C', 'c')];
const metadata = (fields: Readonly<Record<string, string>>, seed = 'a') =>
  xml([{ roms: [{ crc: hashes(seed).crc }], fields }]);

/** Returns a catalogue with three releases, functions to edit them, and functions to drop edits. */
async function useEdits() {
  const imports = await useImports();
  await imports.take(xml(rows));
  const { id } = await imports.get('A');
  const { releases } = imports.catalog;
  return {
    ...imports,
    id,
    read: () => releases.get(id),
    drop: (field: EditableField, of = id) => releases.dropEdit(of, field, actor),
    edited: async () => (await releases.getWhole(id)).edits.map(({ field }) => field),
    found: async (search: string) => (await imports.list({ search })).map((release) => release.id),
  };
}

describe('the removal of an edit', () => {
  test.each(['description', 'region', 'serial'] as const)(
    "restores the source's %s at once and after the next import",
    async (field) => {
      const { take, edit, drop, read, edited } = await useEdits();
      await edit('A', { description: 'Mine', region: 'Mine', serial: 'Mine' });
      await drop(field);
      const mine = { description: 'Mine', region: 'Mine', serial: 'Mine' };
      expect(await read()).toMatchObject({ ...mine, [field]: own[field], meta: null });
      expect(await edited()).toEqual(Object.keys(mine).filter((name) => name !== field));
      const newer = { description: 'newer', region: 'Japan', serial: 'ABCD-00002' };
      await take(xml([game('A', 'a', newer), ...rows.slice(1)], undefined, '2'));
      expect(await read()).toMatchObject({ ...mine, [field]: newer[field] });
    },
  );

  test('restores the name of the release in its first source, and updates the search', async () => {
    const { take, edit, drop, read, found, id } = await useEdits();
    await take(xml([game('A of another', 'a')]), { source: 'another' });
    await edit('A', { name: 'Mine', serial: 'MINE-12345' });
    expect(await found('mine')).toEqual([id]);
    await drop('name');
    expect(await read()).toMatchObject({ name: 'A', serial: 'MINE-12345' });
    expect(await found('mine')).toEqual([id]); // found by its serial
    await drop('serial');
    expect(await found('mine')).toEqual([]);
    expect(await found('mine12345')).toEqual([]);
    expect(await found('abcd00001 another')).toEqual([id]);
    await take(xml([game('Renamed', 'a', own), ...rows.slice(1)], undefined, '2'));
    expect(await read()).toMatchObject({ name: 'Renamed' });
    expect(await found('renamed')).toEqual([id]);
  });

  test('restores the serial from a metadata file if no DAT states one', async () => {
    const { take, get, edit, drop, list, query } = await useEdits();
    const { id } = await get('B');
    await take(xml([{ roms: [{ crc: hashes('b').crc }], serial: 'FILL-00001' }]));
    const before = query(`SELECT * FROM release_text UNION SELECT release_id, '', '', serial
    FROM release_serial WHERE source_id = 0`);
    await edit('B', { serial: 'MINE-00001', name: 'B' });
    await drop('serial', id);
    await drop('name', id);
    expect(await get('B')).toMatchObject({ serial: 'FILL-00001' });
    expect(await list({ search: 'fill00001' })).toHaveLength(1);
    expect(await list({ search: 'mine00001' })).toEqual([]);
    const after = query(`SELECT * FROM release_text UNION SELECT release_id, '', '', serial
    FROM release_serial WHERE source_id = 0`);
    expect(after).toEqual(before);
  });

  test('restores metadata from metadata files, and keeps the record marked as manual', async () => {
    const { take, edit, drop, read } = await useEdits();
    const facts = { genre: 'Puzzle', developer: 'Theirs', releaseyear: '2006', releasemonth: '4' };
    await take(metadata(facts));
    const mine = { genre: 'Mine', release_date: '', title: 'T', synopsis: 'S', publisher: 'P' };
    await edit('A', mine);
    for (const field of Object.keys(mine) as (keyof typeof mine)[]) await drop(field);
    const theirs = { genre: 'Puzzle', developer: 'Theirs', release_date: '2006-04' };
    expect((await read()).meta).toEqual({ title: '', manual: true, ...theirs });
    await take(metadata({ genre: 'Racing', publisher: 'Theirs' }));
    expect((await read()).meta).toMatchObject({ ...theirs, genre: 'Racing', publisher: 'Theirs' });
  });

  test('removes a metadata record that only edits created, with the last of them', async () => {
    const { edit, drop, read } = await useEdits();
    await edit('A', { title: 'T', genre: '', synopsis: 'S' });
    await drop('title');
    expect((await read()).meta).toEqual({ title: '', manual: true, genre: '', synopsis: 'S' });
    await drop('synopsis');
    expect((await read()).meta).toEqual({ title: '', manual: true, genre: '' });
    await drop('genre');
    expect((await read()).meta).toBeNull();
  });

  test('changes nothing and adds no audit entry for a field that was never edited', async () => {
    const { edit, drop, read, query } = await useEdits();
    await edit('A', { genre: 'Mine' });
    const before = await read();
    const audit = query('SELECT count(*) FROM audit');
    for (const field of ['name', 'title', 'developer'] as const) {
      expect(await drop(field)).toBe(before.revision);
    }
    expect(await read()).toEqual(before);
    expect(query('SELECT count(*) FROM audit')).toEqual(audit);
    expect(await drop('genre')).not.toBe(before.revision);
    const last = query('SELECT action, target, detail FROM audit ORDER BY id DESC LIMIT 1');
    const target = `release/${before.id}`;
    expect(last).toEqual([{ action: 'release.edit', target, detail: '{"dropped":"genre"}' }]);
  });

  test('allows later imports to prune the release', async () => {
    const { take, edit, drop, list } = await useEdits();
    await edit('A', { genre: 'Mine' });
    await take(xml(rows.slice(1), undefined, '2'), { prune: true });
    expect(await list()).toHaveLength(3);
    await drop('genre');
    await take(xml(rows.slice(1), undefined, '3'), { prune: true });
    expect(await list()).toHaveLength(2);
  });
});
