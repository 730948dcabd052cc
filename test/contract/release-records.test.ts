import { describe, expect, test } from 'vitest';
import type { ReleaseFilter, ReleaseQuery } from '../../src/core/releases/ports.ts';
import { Releases } from '../../src/core/releases/releases.ts';
import type { Actor } from '../../src/core/shared/actor.ts';
import { compareByCodePoint } from '../../src/core/shared/text.ts';
import type { Engine } from '../../src/sql/engine.ts';
import { SqlReleaseRecords } from '../../src/sql/releases.ts';
import { engines } from './engines.ts';
import { addReleases, addRom, insertRom, type ReleaseRow } from './release-rows.ts';
import { inCodePointOrder, stamp, steppingClock, useEngine } from './use-engine.ts';

const actor: Actor = { kind: 'user', userId: 7, username: 'änn', address: '::1' };
const everything: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

const collection: ReleaseRow[] = [
  { name: 'Lumines (Japan)', serial: 'ULJS-19005', region: 'Japan', platform: 'Sony - PSP' },
  { name: 'Lumines (USA, Europe)', region: 'USA, Europe', platform: 'Sony - PSP' },
  { name: 'Ōkami - 大神 (Japan)', serial: 'SLPM-66375', region: 'Japan', platform: 'Sony - PS2' },
  { name: '桃太郎電鉄 12 (Japan)', region: 'Japan,Asia', platform: 'Sony - PS2' },
  { name: '100% Pure \\ _Best_ (World)', region: 'World', system: 'videos' },
  { name: '1000 Miles', system: 'videos' },
  { name: "O'Neil's \u{1F3AE} Quiz", region: 'usa', system: 'videos', platform: 'UMD' },
];

describe.each(engines)('$name: release records', ({ open }) => {
  async function useReleases(rows: readonly ReleaseRow[] = collection) {
    const engine = await useEngine(open);
    const ids = await addReleases(engine, rows);
    const records = new SqlReleaseRecords({ engine, clock: steppingClock() });
    const list = (query: Partial<ReleaseQuery> = {}) =>
      records.list({ ...everything, limit: 100, offset: 0, ...query });
    const names = async (query: Partial<ReleaseQuery> = {}) =>
      (await list(query)).map(({ name }) => name);
    const id = (name: string) => ids[rows.findIndex((row) => row.name.startsWith(name))] ?? 0;
    return { engine, records, ids, list, names, id };
  }

  describe('the list', () => {
    test('is in the order of code points, then of ids, and its pages never overlap', async () => {
      const rows = [...inCodePointOrder.toReversed(), ...inCodePointOrder].map((name) => ({
        name,
      }));
      const { ids, list } = await useReleases(rows);
      const expected = rows
        .map(({ name }, index) => ({ name, id: ids[index] ?? 0 }))
        .sort((a, b) => compareByCodePoint(a.name, b.name) || a.id - b.id);
      expect((await list()).map(({ name, id }) => ({ name, id }))).toEqual(expected);
      const paged = [];
      for (let offset = 0; offset < rows.length; offset += 7) {
        paged.push(...(await list({ limit: 7, offset })));
      }
      expect(paged.map(({ name, id }) => ({ name, id }))).toEqual(expected);
      expect(await list({ offset: rows.length })).toEqual([]);
      expect(await list({ limit: 0 })).toEqual([]);
      for (const offset of [2 ** 53 - 1, 2 ** 53]) expect(await list({ offset })).toEqual([]);
      expect(await list({ limit: 2 ** 53 })).toHaveLength(rows.length);
    });

    test('the newest first is in the order of ids, under any filter, and its pages never overlap', async () => {
      const rows = inCodePointOrder.map((name, index) => ({
        name,
        system: index % 3 === 0 ? 'videos' : 'games',
        platform: index % 2 === 0 ? 'Sony - PSP' : 'UMD',
      }));
      const { ids, list } = await useReleases(rows);
      const filters: Partial<ReleaseFilter>[] = [
        {},
        { system: 'videos' },
        { system: 'games', platform: 'UMD' },
        { q: 'a' },
      ];
      for (const filter of filters) {
        const byName = await list(filter);
        const expected = byName.map(({ id }) => id).sort((a, b) => b - a);
        expect(expected.length).toBeGreaterThan(1);
        const newest = { ...filter, order: 'newest' } as const;
        const paged = [];
        for (let offset = 0; offset < expected.length; offset += 3) {
          paged.push(...(await list({ ...newest, limit: 3, offset })));
        }
        expect(paged.map(({ id }) => id)).toEqual(expected);
        expect(await list({ ...newest, offset: 2 ** 53 })).toEqual([]);
      }
      expect((await list({ order: 'newest' })).map(({ id }) => id)).toEqual(ids.toReversed());
      expect((await list({ order: 'name' })).map(({ id }) => id)).toEqual(
        (await list()).map(({ id }) => id),
      );
    });

    test('the newest of many in one system are in order too', async () => {
      const rows = Array.from({ length: 2_500 }, (_, i) => ({
        name: `${i % 7} of many`,
        system: i % 500 === 0 ? 'videos' : 'games',
      }));
      const { ids, list } = await useReleases(rows);
      const expected = ids.filter((_, i) => i % 500 !== 0).toReversed();
      const query = { system: 'games', order: 'newest', limit: 50 } as const;
      for (const offset of [0, 2_400]) {
        const page = await list({ ...query, offset });
        expect(page.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 50));
      }
      expect(await list({ ...query, system: 'videos' })).toHaveLength(5);
    });

    test('tells of each release what is listed', async () => {
      const { list, id } = await useReleases();
      expect((await list({ q: 'lumines (j' }))[0]).toStrictEqual({
        id: id('Lumines'),
        system: 'games',
        name: 'Lumines (Japan)',
        region: 'Japan',
        serial: 'ULJS-19005',
        platform: 'Sony - PSP',
      });
      expect((await list({ q: '1000' }))[0]).toMatchObject({ platform: '', serial: '' });
    });

    test('comes whole in batches, in the same order', async () => {
      const rows = Array.from({ length: 1_203 }, (_, i) => ({
        name: `${i % 7} 大神`,
        system: i % 5 === 0 ? 'videos' : 'games',
        region: i % 3 === 0 ? 'Japan' : '',
        platform: i % 2 === 0 ? 'UMD' : 'Sony - PSP',
      }));
      const { records, list } = await useReleases(rows);
      const whole = await list({ limit: 10_000 });
      for (const offset of [0, 1, 500, 1_202, 1_203, 5_000]) {
        const streamed = [];
        for await (const batch of records.stream(everything, offset)) streamed.push(...batch);
        expect(streamed).toEqual(whole.slice(offset));
      }
    });

    test('comes as text, as JSON of its rows would be written', async () => {
      const control = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');
      const odd = [
        '"\\/\\u00010',
        control,
        '\u007F\u0080\u2028\uFEFF',
        '桃太郎 \u{1F3AE}',
        "o'%_'",
      ];
      const rows = Array.from({ length: 611 }, (_, i) => ({
        name: `${i % 7} ${odd[i % 5]}`,
        region: odd[i % 3] ?? '',
        serial: odd[i % 4] ?? '',
      }));
      const { records, list } = await useReleases(rows);
      const whole = await list({ limit: 10_000 });
      const layout = {
        texts: ['[', ", ' ", ': "', '", ', ']'],
        fields: ['name', 'serial', 'id', 'region'],
      } as const;
      const written = whole.map(({ id, ...row }) => {
        const [name, serial, region] = [row.name, row.serial, row.region].map((text) =>
          JSON.stringify(text),
        );
        return `[${name}, ' ${serial}: "${id}", ${region}]`;
      });
      for (const offset of [0, 1, 250, 610, 611, 5_000]) {
        const texts: string[] = [];
        for await (const text of records.streamWritten(everything, offset, layout)) {
          if (text !== '') texts.push(text);
        }
        expect(texts.join(',')).toBe(written.slice(offset).join(','));
      }
    });

    test('shows nothing of an import before its end', async () => {
      const { engine, records, names, id } = await useReleases();
      const hidden = id("O'Neil");
      await engine.write((trx) =>
        trx
          .insertInto('unfinished_import')
          .values({ first_release_id: hidden, claim: 'x' })
          .execute(),
      );
      expect(await names()).toHaveLength(6);
      expect(await names({ q: 'quiz' })).toEqual([]);
      expect(await records.count(everything)).toBe(6);
      expect(await records.find(hidden)).toBeNull();
      expect(await records.findWhole(hidden)).toBeNull();
      expect(await records.findRevision(hidden)).toBeNull();
      expect(await records.edit(hidden, { name: 'x' }, actor)).toBeNull();
      expect((await records.initials(everything)).map(({ releases }) => releases)).toEqual([
        2, 2, 1, 1,
      ]);
    });
  });

  test('the total is that of the list, and follows each import', async () => {
    const { engine, records, id } = await useReleases();
    const ended = () =>
      engine.write((trx) =>
        trx
          .updateTable('import_version')
          .set((is) => ({ number: is('number', '+', 1) }))
          .execute(),
      );
    expect(await records.total()).toBe(7);
    await addReleases(engine, [{ name: 'One more' }]);
    await ended();
    expect(await records.total()).toBe(8);
    const hidden = { first_release_id: id("O'Neil"), claim: 'x' };
    await engine.write((trx) => trx.insertInto('unfinished_import').values(hidden).execute());
    await ended();
    expect(await records.total()).toBe(6);
  });

  describe('a filter', () => {
    test('by q finds what LIKE finds in the name', async () => {
      const { names } = await useReleases();
      const first = async (q: string) => (await names({ q })).map((name) => name.slice(0, 7));
      expect(await first('LUMINES')).toEqual(['Lumines', 'Lumines']);
      expect(await first('大神')).toEqual(['Ōkami -']);
      expect(await first('郎電鉄')).toEqual(['桃太郎電鉄 1']);
      expect(await first('ōkami')).toEqual([]); // of letters beyond ASCII, case counts
      expect(await first('100%')).toEqual(['100% Pu', '1000 Mi']);
      expect(await first('100_ ')).toEqual(['100% Pu', '1000 Mi']);
      expect(await first('pure \\ _best_')).toEqual(['100% Pu']);
      expect(await first('\\')).toEqual(['100% Pu']);
      expect(await first('\\%')).toEqual(['100% Pu']);
      expect(await first("o'neil")).toEqual(["O'Neil'"]);
      expect(await first('\u{1F3AE} q')).toEqual(["O'Neil'"]);
      expect(await first('%')).toHaveLength(7);
      expect(await first('___')).toHaveLength(7);
      expect(await first('ULJS')).toEqual([]);
    });

    test('by search finds words in any order, in names and serials, to the letter', async () => {
      const { names } = await useReleases();
      const first = async (search: string) =>
        (await names({ search })).map((name) => name.slice(0, 7));
      expect(await first('japan LUMINES')).toEqual(['Lumines']);
      expect(await first('okami')).toEqual(['Ōkami -']);
      expect(await first('uljs-19005')).toEqual(['Lumines']);
      expect(await first('ULJS19005 japan')).toEqual(['Lumines']);
      expect(await first('大神')).toEqual(['Ōkami -']);
      expect(await first('電鉄 桃太')).toEqual(['桃太郎電鉄 1']);
      expect(await first('100%')).toEqual(['100% Pu']);
      expect(await first('_best_')).toEqual(['100% Pu']);
      expect(await first('%')).toEqual(['100% Pu']);
      expect(await first('\\')).toEqual(['100% Pu']);
      expect(await first('100_')).toEqual([]);
      expect(await first('lumines europe asia')).toEqual([]);
      expect(await first('  ')).toHaveLength(7);
    });

    test('by search also finds the hash of a ROM, whole and in either case', async () => {
      const rows = [{ name: 'abcdef01 in its name' }, { name: 'One' }, { name: 'Two' }];
      const { engine, ids, names, records } = await useReleases(rows);
      const [, one = 0, two = 0] = ids;
      const [md5, sha1] = ['0123456789abcdef'.repeat(2), '89abcdef'.repeat(5)];
      await addRom(engine, one, { crc32: 'abcdef01', size: 5, md5, sha1 });
      await addRom(engine, two, { crc32: 'abcdef01', size: 7, md5: '', sha1: '' });
      await addRom(engine, two, { crc32: '12345678', size: 0, md5: '', sha1 });
      expect(await names({ search: 'abcdef01' })).toEqual(['One', 'Two', 'abcdef01 in its name']);
      expect(await names({ search: 'ABCDEF01 two' })).toEqual(['Two']);
      expect(await names({ search: 'abcdef01 12345678' })).toEqual(['Two']);
      expect(await names({ search: md5.toUpperCase() })).toEqual(['One']);
      expect(await names({ search: sha1 })).toEqual(['One', 'Two']);
      expect(await names({ search: `${sha1} ${md5}` })).toEqual(['One']);
      for (const part of [
        'bcdef01',
        'abcdef0',
        'abcdef02',
        md5.slice(0, 8),
        md5.slice(1),
        'abcdef01:5',
      ]) {
        expect([part, await names({ search: part })]).toEqual([
          part,
          part === 'bcdef01' || part === 'abcdef0' ? ['abcdef01 in its name'] : [],
        ]);
      }
      expect(await names({ q: sha1 })).toEqual([]);
      expect(await records.count({ ...everything, search: sha1 })).toBe(2);
      expect((await records.facets({ ...everything, search: sha1 })).systems).toEqual([
        { name: 'games', releases: 2 },
      ]);
    });

    test('by the hash of a ROM that many have finds them all', async () => {
      const rows = Array.from({ length: 2_100 }, (_, i) => ({ name: `Number ${i}` }));
      const { engine, ids, names } = await useReleases([...rows, { name: 'Another' }]);
      const hashes = { crc32: '00c0ffee', size: 1, md5: 'e'.repeat(32), sha1: 'f'.repeat(40) };
      await engine.write(async (trx) => {
        for (const id of ids.slice(0, -1)) await insertRom(trx, id, hashes);
      });
      for (const search of ['00C0FFEE', hashes.md5, hashes.sha1]) {
        expect(await names({ search, limit: 10_000 })).toHaveLength(2_100);
      }
      expect(await names({ search: `${hashes.sha1} 2099` })).toEqual(['Number 2099']);
    });

    test('by system, platform and region narrows down together', async () => {
      const { records, names } = await useReleases();
      expect(await names({ system: 'videos' })).toHaveLength(3);
      expect(await names({ system: 'Videos' })).toEqual([]);
      expect(await names({ platform: 'sony PSP' })).toHaveLength(2);
      expect(await names({ platform: 'PSP' })).toEqual([]);
      expect(await names({ region: 'japan' })).toHaveLength(3);
      expect(await names({ region: ' USA ' })).toHaveLength(2);
      expect(await names({ region: 'asia' })).toHaveLength(1);
      expect(await names({ region: '%' })).toEqual([]);
      const both = { platform: 'Sony - PSP', region: 'Europe', q: 'lum', search: 'lumines' };
      expect(await names(both)).toEqual(['Lumines (USA, Europe)']);
      expect(await records.count({ ...everything, ...both })).toBe(1);
      expect(await records.count(everything)).toBe(7);
    });

    test('with NUL in it is not asked for: it finds nothing', async () => {
      const { records } = await useReleases();
      const releases = new Releases(records);
      for (const field of ['system', 'q', 'search', 'platform', 'region'] as const) {
        const filter = { ...everything, [field]: 'l\0' };
        expect(await releases.list({ ...filter, limit: 10, offset: 0 })).toEqual([]);
        expect(await releases.count(filter)).toBe(0);
      }
    });

    test('finds the same by its index and without', async () => {
      const rows = Array.from({ length: 2_500 }, (_, i) => ({ name: `Number ${i} of many` }));
      const { records, names } = await useReleases(rows);
      expect(await names({ q: 'many', limit: 10_000 })).toHaveLength(2_500);
      expect(await names({ search: 'many', limit: 10_000 })).toHaveLength(2_500);
      expect(await names({ q: 'number 249' })).toHaveLength(11);
      expect(await names({ search: '249 number' })).toHaveLength(13);
      expect(await records.count({ ...everything, q: 'many', search: 'of' })).toBe(2_500);
    });
  });

  test('facets count by system, platform and region, ordered by name', async () => {
    const { records } = await useReleases();
    expect(await records.facets(everything)).toEqual({
      systems: [
        { name: 'games', releases: 4 },
        { name: 'videos', releases: 3 },
      ],
      platforms: [
        { name: 'Sony - PS2', releases: 2 },
        { name: 'Sony - PSP', releases: 2 },
        { name: 'UMD', releases: 1 },
      ],
      regions: [
        { name: 'Asia', releases: 1 },
        { name: 'Europe', releases: 1 },
        { name: 'Japan', releases: 3 },
        { name: 'USA', releases: 1 },
        { name: 'World', releases: 1 },
        { name: 'usa', releases: 1 },
      ],
    });
    expect(await records.facets({ ...everything, q: 'nothing like it' })).toEqual({
      systems: [],
      platforms: [],
      regions: [],
    });
  });

  test('facets without their own part count what other choices would find', async () => {
    const { records } = await useReleases();
    const filter = { ...everything, system: 'games', platform: 'Sony - PSP', region: 'japan' };
    expect(await records.facets(filter, 'without-own')).toEqual({
      systems: [{ name: 'games', releases: 1 }],
      platforms: [
        { name: 'Sony - PS2', releases: 2 },
        { name: 'Sony - PSP', releases: 1 },
      ],
      regions: [
        { name: 'Europe', releases: 1 },
        { name: 'Japan', releases: 1 },
        { name: 'USA', releases: 1 },
      ],
    });
    expect(await records.facets({ ...everything, system: 'videos' }, 'without-own')).toMatchObject({
      systems: [
        { name: 'games', releases: 4 },
        { name: 'videos', releases: 3 },
      ],
      platforms: [{ name: 'UMD', releases: 1 }],
    });
    const worded = { ...filter, search: 'lumines' };
    expect((await records.facets(worded, 'without-own')).platforms).toEqual([
      { name: 'Sony - PSP', releases: 1 },
    ]);
    for (const one of [everything, { ...everything, q: 'o', search: 'japan' }]) {
      expect(await records.facets(one, 'without-own')).toEqual(await records.facets(one));
    }
    expect(await records.facets(filter, 'with-own')).toEqual(await records.facets(filter));
  });

  test('initials are whole characters, with their place in the list', async () => {
    const { records, names } = await useReleases([
      ...collection,
      { name: '\u{1F3AE} first' },
      { name: '' },
    ]);
    const initials = await records.initials(everything);
    expect(initials.map(({ initial }) => initial)).toEqual([
      '',
      '1',
      'L',
      'O',
      'Ō',
      '桃',
      '\u{1F3AE}',
    ]);
    const listed = await names();
    for (const { initial, offset, releases } of initials) {
      const part = listed.slice(offset, offset + releases);
      expect(part.map((name) => [...name][0] ?? '')).toEqual(part.map(() => initial));
    }
    expect(await records.initials({ ...everything, search: 'lumines' })).toEqual([
      { initial: 'L', offset: 0, releases: 2 },
    ]);
  });

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

    test('is found with its ROMs in their order, and its metadata', async () => {
      const { engine, records, id } = await useReleases();
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

    test('is not found by an id that nobody has', async () => {
      const { records } = await useReleases();
      for (const id of [0, -1, 999, 2 ** 53 - 1, 2 ** 53]) {
        expect(await records.find(id)).toBeNull();
        expect(await records.findWhole(id)).toBeNull();
        expect(await records.findRevision(id)).toBeNull();
        expect(await records.edit(id, { name: 'x' }, actor)).toBeNull();
      }
    });

    test('is edited in what is given, and found by what it shows then', async () => {
      const { engine, records, id, names } = await useReleases();
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

    test('keeps what an edit does not name, also of edits at once', async () => {
      const { engine, records, id } = await useReleases();
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

    test('is edited only while it has a revision that is expected; of edits at once, by one', async () => {
      const { records, id } = await useReleases();
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

    test('is found whole with what sources and metadata files say, the strongest of them', async () => {
      const { engine, records, id } = await useReleases();
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

    test('shows what imports say once an edit is taken back; a record that is empty then goes', async () => {
      const { engine, records, id, names } = await useReleases();
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
      // No import gave this one: it keeps its name, and its record goes.
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

    test('taken back at once by many, an edit is recorded once', async () => {
      const { engine, records, id } = await useReleases();
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

/** Two sources of a release, a ROM, and facts that name it in each way. */
function addSources(engine: Engine, release_id: number): Promise<void> {
  return engine.write(async (trx) => {
    const { platform_id } = await trx
      .selectFrom('release')
      .select('platform_id')
      .where('id', '=', release_id)
      .executeTakeFirstOrThrow();
    if (platform_id === null) throw new Error('it has no platform');
    const source = { platform_id, header_name: '神 "DAT"', system: 'games' };
    const said = { region: '', serial: '', description: '', roms_digest: '', search: '' };
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
      const row = { source_id: id, release_id, name: own, ...said, ...dump, ...flags };
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
