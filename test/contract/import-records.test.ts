import { expect, test } from 'vitest';
import { type FileReport, type ImportOptions, Imports } from '../../src/core/imports/imports.ts';
import type { ImportCounts } from '../../src/core/imports/ports.ts';
import type { ListedRelease } from '../../src/core/releases/ports.ts';
import type { Actor } from '../../src/core/shared/requests/actor.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { SqlImportRecords } from '../../src/sql/imports/import-records.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import {
  clrmamepro,
  game,
  hashes,
  platform,
  type RowText,
  rom,
  xml,
} from '../imports/support/dat-text.ts';
import { describeEngines } from './fixtures/engines.ts';
import { steppingClock, useEngine } from './fixtures/use-engine.ts';

const actor: Actor = { kind: 'cli', username: "o'neil" };
const everything = {
  system: '',
  q: '',
  search: '',
  platform: '',
  region: '',
  limit: 50_000,
  offset: 0,
};

const rows: RowText[] = [
  game('Lumines (Japan)', 'a', { serial: 'ULJS-19005', region: 'Japan' }),
  game('Quiz \u{1F3AE} (USA)', 'c'),
  game('Two Discs', 'd', {
    roms: [rom('d1', { serial: 'S-1' }), rom('d2', { serial: 'S-2', size: 2 ** 53 - 1 })],
  }),
  game('Ōkami - 大神 (Japan)', 'b', { description: 'it\'s "quoted" \\ 100% _x_' }),
];

describeEngines('$name: an import of a DAT', ({ open }) => {
  async function useImports() {
    const parts = { engine: await useEngine(open), clock: steppingClock() };
    const records = new SqlImportRecords(parts);
    const releases = new SqlReleaseRecords(parts);
    const covered = new Set<number>();
    const imports = new Imports({
      records,
      readDat,
      // The paths of this fake are the texts of the files.
      findDats: async (texts) =>
        texts.map((text) => ({
          path: 'test.dat',
          size: text.length,
          async *read() {
            yield Buffer.from(text);
          },
        })),
      releasesWithCover: async () => covered,
    });
    const report = async (text: string, options: Partial<ImportOptions> = {}) => {
      const { signal } = new AbortController();
      const watch = { signal, onProgress() {}, onFile() {} };
      const { files } = await imports.importPaths([text], { ...watch, ...options }, actor);
      return files[0] as FileReport;
    };
    /** Imports a text, which must be accepted. Returns the counts that are not zero. */
    const take = async (text: string, options?: Partial<ImportOptions>) => {
      const taken = await report(text, options);
      if ('refused' in taken) throw new Error(taken.refused);
      const counts = Object.entries(taken.counts).filter(([, count]) => count !== 0);
      return {
        counts: Object.fromEntries(counts) as Partial<ImportCounts>,
        samples: taken.samples,
      };
    };
    const list = () => releases.list(everything);
    const named = async (start: string) => {
      const found = (await list()).filter(({ name }) => name.startsWith(start));
      expect(found, start).toHaveLength(1);
      const release = await releases.find((found[0] as ListedRelease).id);
      return release ?? expect.fail('a release that is listed is not found');
    };
    return { ...parts, records, releases, covered, report, take, list, named };
  }

  test('stores new rows as complete releases, which are found by name and serial', async () => {
    const { releases, take, list, named } = await useImports();
    expect((await take(xml(rows))).counts).toEqual({ rows: 4, releases: 4, new: 4 });
    expect((await list()).map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
    expect(await named('Two')).toMatchObject({
      system: 'games',
      platform,
      serial: 'S-1, S-2',
      meta: null,
      roms: [
        { name: 'd1.bin', size: 1002, crc32: hashes('d1').crc, serial: 'S-1' },
        { name: 'd2.bin', size: 2 ** 53 - 1, sha1: hashes('d2').sha1, serial: 'S-2' },
      ],
    });
    expect(await named('Ōkami')).toMatchObject({ description: 'it\'s "quoted" \\ 100% _x_' });
    const found = await releases.list({ ...everything, search: 'uljs19005' });
    expect(found.map(({ name }) => name)).toEqual(['Lumines (Japan)']);
  });

  test('changes nothing when the same rows are imported again', async () => {
    const { take, list } = await useImports();
    await take(xml(rows));
    const before = await list();
    expect((await take(xml(rows, platform, '2'))).counts).toEqual({
      rows: 4,
      releases: 4,
      unchanged: 4,
    });
    expect(await list()).toEqual(before);
  });

  test('keeps the IDs of releases that it changes, renames or reports as gone', async () => {
    const { take, named } = await useImports();
    await take(xml(rows));
    const ids = await Promise.all(
      ['Lumines', 'Ōkami', 'Quiz'].map(async (name) => (await named(name)).id),
    );
    const newer = [
      { ...rows[0], region: 'Asia' },
      { ...rows[3], name: '大神 (Japan)' },
      rows[2] ?? {},
      game('New', 'n'),
    ];
    const { counts, samples } = await take(xml(newer, platform, '2'));
    expect(counts).toEqual({
      rows: 4,
      releases: 4,
      new: 1,
      changed: 2,
      renamed: 1,
      unchanged: 1,
      gone: 1,
    });
    expect(samples).toMatchObject({
      new: ['New'],
      renamed: ['Ōkami - 大神 (Japan) -> 大神 (Japan)'],
      gone: ['Quiz \u{1F3AE} (USA)'],
    });
    expect(await named('Lumines')).toMatchObject({ id: ids[0], region: 'Asia' });
    expect(await named('大神')).toMatchObject({ id: ids[1] });
    expect(await named('Quiz')).toMatchObject({ id: ids[2] });
  });

  test('joins rows of another source to releases, and makes their names findable', async () => {
    const { releases, take, list } = await useImports();
    await take(xml(rows));
    const theirs = [game('Lumines: Puzzle Fusion', 'a'), game('Only Theirs', 'z')];
    const { counts } = await take(xml(theirs), { source: 'others' });
    expect(counts).toEqual({ rows: 2, releases: 2, new: 1, joined: 1 });
    expect(await list()).toHaveLength(5);
    const found = await releases.list({ ...everything, search: 'fusion' });
    expect(found.map(({ name }) => name)).toEqual(['Lumines (Japan)']);
  });

  test('prunes releases that no source lists, on request, unless they have a cover', async () => {
    const { covered, take, list, named } = await useImports();
    await take(xml(rows));
    covered.add((await named('Quiz')).id);
    const left = rows.filter((_, index) => index === 0 || index === 3);
    await take(xml(left, platform, '2'));
    const { counts, samples } = await take(xml(left, platform, '3'), { prune: true });
    expect(counts).toMatchObject({ unchanged: 2, pruned: 1 });
    expect(samples.pruned).toEqual(['Two Discs']);
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(['Lumines (Japan)', 'Quiz \u{1F3AE} (USA)', 'Ōkami - 大神 (Japan)']);
    covered.clear();
    const uncovered = await take(xml(left, platform, '4'), { prune: true });
    expect(uncovered.samples.pruned).toEqual(['Quiz \u{1F3AE} (USA)']);
  });

  test('reports the same counts in a dry run, which changes nothing', async () => {
    const { records, take, list } = await useImports();
    const dry = await take(xml(rows), { dryRun: true });
    expect(dry.counts).toEqual({ rows: 4, releases: 4, new: 4 });
    expect(await list()).toEqual([]);
    expect(await records.listImports(10, 0)).toEqual([]);
    expect((await take(xml(rows))).counts).toEqual(dry.counts);
  });

  test('fills empty metadata of existing and later releases', async () => {
    const { take, named } = await useImports();
    await take(xml(rows));
    const later = game('Later', 'later');
    const facts = [
      { fields: { genre: 'Puzzle', releaseyear: '2004' }, roms: [{ crc: hashes('a').crc }] },
      { name: 'Ōkami - 大神 (Japan)', fields: { genre: 'アクション' } },
      { fields: { developer: 'Nobody' }, roms: [{ crc: hashes('later').crc }] },
    ];
    expect((await take(clrmamepro(facts))).counts).toMatchObject({ filled: 2 });
    expect((await named('Lumines')).meta).toMatchObject({
      genre: 'Puzzle',
      release_date: '2004',
      manual: false,
    });
    expect((await named('Ōkami')).meta).toMatchObject({ genre: 'アクション' });
    await take(xml([...rows, later], platform, '2'));
    expect((await named('Later')).meta).toMatchObject({ developer: 'Nobody' });
  });

  test('keeps fields that a user edited', async () => {
    const { releases, take, named } = await useImports();
    await take(xml(rows));
    const { id } = await named('Lumines');
    await releases.edit(id, { name: 'ルミネス', genre: 'Mine' }, actor);
    const newer = [{ ...rows[0], name: 'Lumines (World)', region: 'World' }, ...rows.slice(1)];
    const { counts, samples } = await take(xml(newer, platform, '2'));
    expect(counts.protected).toBe(1);
    expect(samples.protected).toHaveLength(1);
    await take(clrmamepro([{ fields: { genre: 'Puzzle' }, roms: [{ crc: hashes('a').crc }] }]));
    expect(await releases.find(id)).toMatchObject({
      name: 'ルミネス',
      region: 'World',
      meta: { genre: 'Mine', manual: true },
    });
  });

  test('stores thousands of new rows completely, and they are listed by name', async () => {
    const { take, list } = await useImports();
    const many = Array.from({ length: 3_000 }, (_, i) => game(`Number ${i} 大神`, `n${i}`));
    expect((await take(xml(many))).counts).toEqual({ rows: 3_000, releases: 3_000, new: 3_000 });
    expect((await list()).map(({ name }) => name)).toEqual(
      many.map(({ name }) => name ?? '').sort(),
    );
  });

  test('leaves no release and no record if it is stopped or refused', async () => {
    const { records, report, list } = await useImports();
    const abort = new AbortController();
    abort.abort(new Error('stopped by somebody'));
    await expect(report(xml(rows), { signal: abort.signal })).rejects.toThrow(
      'stopped by somebody',
    );
    expect(await report(xml(rows).slice(0, -30))).toHaveProperty('refused');
    expect(await list()).toEqual([]);
    expect(await records.listImports(10, 0)).toEqual([]);
  });

  test('is recorded in the history, which lists the newest import first', async () => {
    const { records, take } = await useImports();
    const { samples } = await take(xml(rows));
    await take(clrmamepro([{ fields: { genre: 'Puzzle' }, roms: [{ crc: hashes('a').crc }] }]));
    await take(xml(rows, platform, '大'));
    const listed = await records.listImports(10, 0);
    expect(listed).toMatchObject([
      { platform, version: '大', system: 'games', importedBy: "o'neil", counts: { unchanged: 4 } },
      { platform, sourceId: null, counts: { filled: 1 } },
      { platform, version: '1', fileName: 'test.dat', counts: { new: 4 } },
    ]);
    expect(await records.listImports(1, 1)).toEqual(listed.slice(1, 2));
    const first = listed[2] ?? expect.fail('three imports');
    expect(await records.findImport(first.id)).toEqual({ ...first, samples });
    expect(await records.findImport(999)).toBeNull();
  });
});
