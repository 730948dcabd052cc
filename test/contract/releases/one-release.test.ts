import { describe, expect, test } from 'vitest';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { stamp } from '../fixtures/use-engine.ts';
import { actor, useReleases } from '../fixtures/use-releases.ts';

describeEngines('$name: the table of releases', ({ open }) => {
  describe('a release', () => {
    const noHashes = { crc32: '', md5: '', sha1: '', serial: '' };

    async function addDetails(engine: Engine, release_id: number): Promise<void> {
      await engine.write(async (trx) => {
        for (const [position, size] of [
          [10, 2 ** 53 - 1],
          [2, 0],
          [1, 1000],
        ] as const) {
          const name = `${position} 大神 "\\".bin`;
          await trx
            .insertInto('rom')
            .values({ release_id, position, name, size, ...noHashes })
            .execute();
        }
        const nothing = { release_date: null, developer: null, genre: '', synopsis: null };
        const meta = { title: 'Ōkami', manual: false, publisher: "o'neil\n", franchise: '神' };
        await trx
          .insertInto('release_meta')
          .values({ release_id, ...nothing, ...meta })
          .execute();
      });
    }

    test('is found with its ROMs in order and its metadata', async () => {
      const { engine, records, id } = await useReleases(open);
      const okami = id('Ōkami');
      expect(await records.find(okami)).toMatchObject({ roms: [], meta: null, franchise: '' });
      await addDetails(engine, okami);
      expect(await records.find(okami)).toStrictEqual({
        id: okami,
        system: 'games',
        name: 'Ōkami - 大神 (Japan)',
        region: 'Japan',
        serial: 'SLPM-66375',
        description: '',
        revision: 0,
        platform: 'Sony - PS2',
        franchise: '神',
        roms: [
          { name: '1 大神 "\\".bin', size: 1000, ...noHashes },
          { name: '2 大神 "\\".bin', size: 0, ...noHashes },
          { name: '10 大神 "\\".bin', size: 2 ** 53 - 1, ...noHashes },
        ],
        meta: { title: 'Ōkami', manual: false, publisher: "o'neil\n", genre: '' },
      });
      expect(await records.find(id('1000'))).toMatchObject({ platform: '', roms: [], meta: null });
    });

    test('is not found by an unknown id', async () => {
      const { records } = await useReleases(open);
      for (const id of [0, -1, 999, 2 ** 53 - 1, 2 ** 53]) {
        expect(await records.find(id)).toBeNull();
        expect(await records.findWhole(id)).toBeNull();
        expect(await records.findRevision(id)).toBeNull();
        expect(await records.edit(id, { name: 'x' }, actor)).toBeNull();
      }
    });

    test('is edited only in the given fields and then found by its new texts', async () => {
      const { engine, records, id, names } = await useReleases(open);
      const lumines = id('Lumines');
      const revision = await records.edit(
        lumines,
        { name: 'ルミネス', serial: 'ULJS 00001' },
        actor,
      );
      expect(revision).toBe(await records.findRevision(lumines));
      expect(await records.find(lumines)).toMatchObject({
        name: 'ルミネス',
        serial: 'ULJS 00001',
        region: 'Japan',
        meta: null,
      });
      expect(await names({ q: 'ミネス' })).toEqual(['ルミネス']);
      expect(await names({ search: 'uljs-00001' })).toEqual(['ルミネス']);
      expect(await names({ search: 'uljs-19005' })).toEqual([]);
      expect(await names({ q: 'lumines (japan' })).toEqual([]);
      const edits = engine.read.selectFrom('release_edit').select(['field', 'edited_at']);
      expect(await edits.orderBy('field').execute()).toEqual([
        { field: 'name', edited_at: stamp(0) },
        { field: 'serial', edited_at: stamp(0) },
      ]);
      await records.edit(lumines, { name: 'Lumines' }, actor);
      expect(await edits.where('field', '=', 'name').execute()).toEqual([
        { field: 'name', edited_at: stamp(1) },
      ]);
      const audit = engine.read
        .selectFrom('audit')
        .select(['action', 'target', 'username', 'detail']);
      expect(await audit.executeTakeFirst()).toEqual({
        action: 'release.edit',
        target: `release/${lumines}`,
        username: 'änn',
        detail: JSON.stringify({ fields: ['name', 'serial'] }),
      });
    });

    test('keeps fields that an edit does not name, even if edits are concurrent', async () => {
      const { engine, records, id } = await useReleases(open);
      const okami = id('Ōkami');
      await addDetails(engine, okami);
      await Promise.all([
        records.edit(okami, { genre: 'アクション' }, actor),
        records.edit(okami, { developer: 'Clover', title: '' }, actor),
        records.edit(okami, { synopsis: '', description: '🎮' }, actor),
        records.edit(okami, { publisher: 'Capcom' }, actor),
      ]);
      expect(await records.find(okami)).toMatchObject({
        description: '🎮',
        franchise: '神',
        meta: {
          title: 'Ōkami',
          manual: true,
          genre: 'アクション',
          developer: 'Clover',
          publisher: 'Capcom',
          synopsis: '',
        },
      });
      await records.edit(id('1000'), { genre: 'Racing' }, actor);
      expect((await records.find(id('1000')))?.meta).toEqual({
        title: '',
        manual: true,
        genre: 'Racing',
      });
    });

    test('is edited only at an expected revision, by one of several concurrent edits', async () => {
      const { records, id } = await useReleases(open);
      const okami = id('Ōkami');
      const first = await records.edit(okami, { genre: 'First' }, actor);
      expect(await records.edit(okami, { genre: 'x' }, actor, new Set([0, 1]))).toBeNull();
      expect(await records.edit(okami, { genre: 'x' }, actor, new Set())).toBeNull();
      expect(await records.find(okami)).toMatchObject({
        revision: first,
        meta: { genre: 'First' },
      });
      const expected = new Set([7, first ?? 0]);
      const made = await Promise.all(
        ['a', 'b', 'c', 'd'].map((genre) => records.edit(okami, { genre }, actor, expected)),
      );
      const revisions = made.filter((revision) => revision !== null);
      expect(revisions).toHaveLength(1);
      expect(revisions).not.toContain(first);
      expect(await records.findRevision(okami)).toBe(revisions[0]);
      const genre = 'abcd'[made.findIndex((revision) => revision !== null)];
      expect((await records.find(okami))?.meta).toMatchObject({ genre });
    });

    test('is found with its sources and with the imported value of each edited field', async () => {
      const { engine, records, id } = await useReleases(open);
      const okami = id('Ōkami');
      expect(await records.findWhole(okami)).toMatchObject({ sources: [], edits: [] });
      await addDetails(engine, okami);
      await addSources(engine, okami);
      const edit = { name: 'x', serial: 'SLPM-1', genre: 'x', developer: 'x', synopsis: 'x' };
      await records.edit(okami, { ...edit, release_date: '', publisher: 'x' }, actor);
      const found = await records.find(okami);
      const no = { region: '', serial: '', description: '' };
      const editedAt = stamp(0);
      expect(await records.findWhole(okami)).toStrictEqual({
        ...found,
        sources: [
          { id: 1, source: '神 "DAT"', name: 'Ōkami', ...no, shown: true, gone: true },
          { id: 2, source: 'mine', name: 'Okami', ...no, shown: false, gone: false },
        ],
        edits: [
          { field: 'developer', editedAt, imported: 'by name' },
          { field: 'genre', editedAt, imported: 'by crc' },
          { field: 'name', editedAt, imported: 'Ōkami' },
          { field: 'publisher', editedAt, imported: 'by own serial' },
          { field: 'release_date', editedAt, imported: '2006-04' },
          { field: 'serial', editedAt, imported: 'SLPM-66375' },
          { field: 'synopsis', editedAt, imported: null },
        ],
      });
    });

    test('shows imported values when an edit is dropped, and deletes empty metadata', async () => {
      const { engine, records, id, names } = await useReleases(open);
      const okami = id('Ōkami');
      await addSources(engine, okami);
      const edit = { name: 'Edited', serial: 'EDITED-1', genre: 'Edited', title: 'Edited' };
      const first = await records.edit(okami, edit, actor);
      expect(await records.dropEdit(okami, 'genre', actor, new Set([0]))).toBeNull();
      expect(await records.dropEdit(okami, 'developer', actor)).toBe(first);
      expect(await records.findRevision(okami)).toBe(first);
      for (const field of ['name', 'serial', 'genre', 'title'] as const) {
        const revision = await records.dropEdit(okami, field, actor);
        expect(revision).not.toBeNull();
        expect(await records.findRevision(okami)).toBe(revision);
      }
      expect(await records.findWhole(okami)).toMatchObject({
        ...{ name: 'Ōkami', serial: 'SLPM-66375', edits: [] },
        meta: { title: '', manual: true, genre: 'by crc' },
      });
      expect(await names({ search: 'slpm66375' })).toEqual(['Ōkami']);
      expect(await names({ search: 'edited' })).toEqual([]);
      // No import provides this release. Without the edits, the release keeps its name and loses
      // its metadata.
      const bare = id('1000');
      await records.edit(bare, { name: 'Edited', synopsis: 'Edited' }, actor);
      await records.dropEdit(bare, 'synopsis', actor);
      await records.dropEdit(bare, 'name', actor);
      expect(await records.findWhole(bare)).toMatchObject({
        name: 'Edited',
        meta: null,
        edits: [],
      });
      expect(await names({ search: 'edited' })).toEqual(['Edited']);
      expect(await records.dropEdit(999, 'name', actor)).toBeNull();
    });

    test('loses an edit once, with one audit entry, for concurrent callers', async () => {
      const { engine, records, id } = await useReleases(open);
      const okami = id('Ōkami');
      await records.edit(okami, { genre: 'Mine' }, actor);
      const made = [1, 2, 3, 4].map(() => records.dropEdit(okami, 'genre', actor));
      expect(new Set(await Promise.all(made)).size).toBe(1);
      const audit = engine.read.selectFrom('audit').select('detail').orderBy('id');
      expect(await audit.execute()).toEqual([
        { detail: '{"fields":["genre"]}' },
        { detail: '{"dropped":"genre"}' },
      ]);
    });
  });
});

/**
 * Adds two sources and a ROM to a release. Also adds metadata that refers to the release in each
 * possible way.
 */
function addSources(engine: Engine, release_id: number): Promise<void> {
  return engine.write(async (trx) => {
    const { platform_id } = await trx
      .selectFrom('release')
      .select('platform_id')
      .where('id', '=', release_id)
      .executeTakeFirstOrThrow();
    if (platform_id === null) throw new Error('it has no platform');
    const source = { platform_id, header_name: '神 "DAT"', system: 'games' };
    const texts = { ...emptyTexts, roms_digest: '', search: '' };
    const dump = { dump_sha1: '', dump_md5: '', dump_crc: '' };
    for (const [name, own] of [
      ['', 'Ōkami'],
      ['mine', 'Okami'],
    ] as const) {
      const { id } = await trx
        .insertInto('source')
        .values({ ...source, name })
        .returning('id')
        .executeTakeFirstOrThrow();
      const flags = { is_shown: name === '', gone: name === '' };
      const row = { ...texts, ...dump, ...flags, source_id: id, release_id, name: own };
      await trx.insertInto('source_row').values(row).execute();
    }
    const hashes = { crc32: '0badcafe', md5: '', sha1: '', serial: '' };
    const rom = { release_id, position: 0, name: 'a', size: 1, ...hashes };
    await trx.insertInto('rom').values(rom).execute();
    for (const [kind, key, field, value] of [
      ['crc', '0badcafe', 'genre', 'by crc'],
      ['crc', '0badcafe', 'serial', 'SLPM-66375'],
      ['name', 'Okami', 'genre', 'by name'],
      ['name', 'Okami', 'developer', 'by name'],
      ['name', 'Okami', 'month', '04'],
      ['name', 'Ōkami', 'year', '2006'],
      ['serial', 'SLPM1', 'publisher', 'by own serial'],
      ['serial', 'SLPM1', 'serial', 'by own serial'],
      ['crc', '0badcaff', 'synopsis', 'of another'],
    ] as const) {
      const fact = { platform_id, kind, key, field, value };
      await trx.insertInto('metadata_row').values(fact).execute();
    }
  });
}
