import { describe, expect, test } from 'vitest';
import type { ReleaseFilter } from '../../../src/core/releases/ports.ts';
import { compareByCodePoint } from '../../../src/core/shared/text.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { inCodePointOrder } from '../fixtures/use-engine.ts';
import { actor, collection, everything, useReleases } from '../fixtures/use-releases.ts';
import { addReleases } from '../suites/release-rows.ts';

describeEngines('$name: the table of releases', ({ open }) => {
  describe('the list of releases', () => {
    test('sorts by code point, then by id, in pages that never overlap', async () => {
      const rows = [...inCodePointOrder.toReversed(), ...inCodePointOrder].map((name) => ({
        name,
      }));
      const { ids, list } = await useReleases(open, rows);
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

    test('sorts by title, ignoring case, accents and articles, in separate pages', async () => {
      const sorted = [
        ...[
          'A - The Game',
          'Ape, The (USA)',
          'The ape 2',
          'Los Bears',
          'Bears, A - Film',
          'bears 2',
        ],
        ...['Élan', 'ELAN 2', 'the', 'The (Europe)', 'theme', 'Zebra', '大', 'ｚ'],
      ];
      const rows = sorted.toReversed().map((name, index) => ({
        name,
        system: index % 3 === 0 ? 'videos' : 'games',
      }));
      const { list, names } = await useReleases(open, rows);
      expect(await names({ order: 'title' })).toEqual(sorted);
      for (const filter of [{}, { system: 'videos' }, { search: 'e' }, { q: 'e' }]) {
        const found = new Set(await names(filter));
        const expected = sorted.filter((name) => found.has(name));
        const paged = [];
        for (let offset = 0; offset < expected.length; offset += 3) {
          paged.push(...(await list({ ...filter, order: 'title', limit: 3, offset })));
        }
        expect(paged.map(({ name }) => name)).toEqual(expected);
      }
    });

    test('sorts by newest id under any filter, in pages that never overlap', async () => {
      const rows = inCodePointOrder.map((name, index) => ({
        name,
        system: index % 3 === 0 ? 'videos' : 'games',
        platform: index % 2 === 0 ? 'Sony - PSP' : 'UMD',
      }));
      const { ids, list } = await useReleases(open, rows);
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

    test('sorts many releases of one system by newest id', { tags: ['full'] }, async () => {
      const rows = Array.from({ length: 2_500 }, (_, i) => ({
        name: `${i % 7} of many`,
        system: i % 500 === 0 ? 'videos' : 'games',
      }));
      const { ids, list } = await useReleases(open, rows);
      const expected = ids.filter((_, i) => i % 500 !== 0).toReversed();
      const query = { system: 'games', order: 'newest', limit: 50 } as const;
      for (const offset of [0, 2_400]) {
        const page = await list({ ...query, offset });
        expect(page.map(({ id }) => id)).toEqual(expected.slice(offset, offset + 50));
      }
      expect(await list({ ...query, system: 'videos' })).toHaveLength(5);
    });

    test('contains the name, system, region, serial and platform of each release', async () => {
      const { list, id } = await useReleases(open);
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

    test('streams all releases in batches, in the same order', async () => {
      const rows = Array.from({ length: 1_203 }, (_, i) => ({
        name: `${i % 7} 大神`,
        system: i % 5 === 0 ? 'videos' : 'games',
        region: i % 3 === 0 ? 'Japan' : '',
        platform: i % 2 === 0 ? 'UMD' : 'Sony - PSP',
      }));
      const { records, list } = await useReleases(open, rows);
      const whole = await list({ limit: 10_000 });
      for (const offset of [0, 1, 500, 1_202, 1_203, 5_000]) {
        const streamed = [];
        for await (const batch of records.stream(everything, offset)) streamed.push(...batch);
        expect(streamed).toEqual(whole.slice(offset));
      }
    });

    test('streams texts in a given layout, with values quoted as in JSON', async () => {
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
      const { records, list } = await useReleases(open, rows);
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
        for await (const text of records.streamAsText(everything, offset, layout)) {
          if (text !== '') texts.push(text);
        }
        expect(texts.join(',')).toBe(written.slice(offset).join(','));
        const page = await records.listAsText(everything, { limit: 100, offset }, layout);
        expect(page).toBe(written.slice(offset, offset + 100).join(','));
      }
    });

    test('hides the releases of an unfinished import', async () => {
      const { engine, records, names, id } = await useReleases(open);
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

  test('returns the number of listed releases as the total, also after each import', async () => {
    const { engine, records, id } = await useReleases(open);
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

  test('returns initials as whole characters, each with its place in the list', async () => {
    const { records, names } = await useReleases(open, [
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
});
