import { describe, expect, test } from 'vitest';
import { Releases } from '../../../src/core/releases/releases.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { everything, noCovers, useReleases } from '../fixtures/use-releases.ts';
import { addRom, insertRom } from '../suites/release-rows.ts';

describeEngines('$name: the table of releases', ({ open }) => {
  describe('a filter of releases', () => {
    test('finds names by q as LIKE does', async () => {
      const { names } = await useReleases(open);
      const first = async (q: string) => (await names({ q })).map((name) => name.slice(0, 7));
      expect(await first('LUMINES')).toEqual(['Lumines', 'Lumines']);
      expect(await first('大神')).toEqual(['Ōkami -']);
      expect(await first('郎電鉄')).toEqual(['桃太郎電鉄 1']);
      expect(await first('ōkami')).toEqual([]); // letter case matters outside ASCII
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

    test('finds the words of search in names and serials, in any order, literally', async () => {
      const { names } = await useReleases(open);
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

    test('finds releases by the complete hash of a ROM in search, in either case', async () => {
      const rows = [{ name: 'abcdef01 in its name' }, { name: 'One' }, { name: 'Two' }];
      const { engine, ids, names, records } = await useReleases(open, rows);
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

    test('finds all releases that share a ROM hash in search', { tags: ['full'] }, async () => {
      const rows = Array.from({ length: 2_100 }, (_, i) => ({ name: `Number ${i}` }));
      const { engine, ids, names } = await useReleases(open, [...rows, { name: 'Another' }]);
      const hashes = { crc32: '00c0ffee', size: 1, md5: 'e'.repeat(32), sha1: 'f'.repeat(40) };
      await engine.write(async (trx) => {
        for (const id of ids.slice(0, -1)) await insertRom(trx, id, hashes);
      });
      for (const search of ['00C0FFEE', hashes.md5, hashes.sha1]) {
        expect(await names({ search, limit: 10_000 })).toHaveLength(2_100);
      }
      expect(await names({ search: `${hashes.sha1} 2099` })).toEqual(['Number 2099']);
    });

    test('combines conditions on system, platform, region, q and search', async () => {
      const { records, names } = await useReleases(open);
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

    test('finds nothing if it contains NUL', async () => {
      const { records } = await useReleases(open);
      const releases = new Releases(records, noCovers);
      for (const field of ['system', 'q', 'search', 'platform', 'region'] as const) {
        const filter = { ...everything, [field]: 'l\0' };
        expect(await releases.list({ ...filter, limit: 10, offset: 0 })).toEqual([]);
        expect(await releases.count(filter)).toBe(0);
      }
    });

    test('finds every match among 2,500 releases, few or many', { tags: ['full'] }, async () => {
      const rows = Array.from({ length: 2_500 }, (_, i) => ({ name: `Number ${i} of many` }));
      const { records, names } = await useReleases(open, rows);
      expect(await names({ q: 'many', limit: 10_000 })).toHaveLength(2_500);
      expect(await names({ search: 'many', limit: 10_000 })).toHaveLength(2_500);
      expect(await names({ q: 'number 249' })).toHaveLength(11);
      expect(await names({ search: '249 number' })).toHaveLength(13);
      expect(await records.count({ ...everything, q: 'many', search: 'of' })).toBe(2_500);
    });
  });

  test('counts facets by system, platform and region, in name order', async () => {
    const { records } = await useReleases(open);
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

  test('counts each facet without its own filter if requested', async () => {
    const { records } = await useReleases(open);
    const filter = { ...everything, system: 'games', platform: 'Sony - PSP', region: 'japan' };
    expect(await records.facets(filter, { counting: 'without-own' })).toEqual({
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
    expect(
      await records.facets({ ...everything, system: 'videos' }, { counting: 'without-own' }),
    ).toMatchObject({
      systems: [
        { name: 'games', releases: 4 },
        { name: 'videos', releases: 3 },
      ],
      platforms: [{ name: 'UMD', releases: 1 }],
    });
    const worded = { ...filter, search: 'lumines' };
    expect((await records.facets(worded, { counting: 'without-own' })).platforms).toEqual([
      { name: 'Sony - PSP', releases: 1 },
    ]);
    for (const one of [everything, { ...everything, q: 'o', search: 'japan' }]) {
      expect(await records.facets(one, { counting: 'without-own' })).toEqual(
        await records.facets(one),
      );
    }
    expect(await records.facets(filter, { counting: 'with-own' })).toEqual(
      await records.facets(filter),
    );
  });
});
