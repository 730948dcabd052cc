import { describe, expect, test } from 'vitest';
import type {
  CoverMiss,
  CoverRelease,
  CoverSearchRecords,
} from '../../../src/core/covers/ports.ts';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import { SqlCoverSearchRecords } from '../../../src/sql/covers/cover-search-records.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { addRelease, removeRelease } from './stored-files.ts';

const miss: CoverMiss = {
  source: 'https://example.org',
  kind: 'miss',
  reason: 'not there',
  requestedAt: Date.parse('2026-01-02T03:04:05.678Z'),
};

/** Contract of every `CoverSearchRecords` adapter. */
export function coverSearchRecordsContract(open: () => Promise<Engine>): void {
  async function create() {
    const engine = await open();
    const records: CoverSearchRecords = new SqlCoverSearchRecords({ engine });
    return { engine, records };
  }

  async function allReleases(records: CoverSearchRecords, system?: string) {
    const all: CoverRelease[] = [];
    for await (const batch of records.releases(system)) all.push(...batch);
    return all;
  }

  test('returns the platform of a release and its source names, the shown one first', async () => {
    const { engine, records } = await create();
    const id = await addRelease(engine, 'By Hand', { platform: 'A Console' });
    const [none, bare] = [
      await addRelease(engine, 'Without'),
      await addRelease(engine, 'Bare', { platform: 'B' }),
    ];
    for (const [name, isShown] of Object.entries({ Other: false, Shown: true, Third: false })) {
      await addSourceRow(engine, id, name, isShown);
    }
    const names = ['Shown', 'Other', 'Third'];
    expect(await records.findSearchTerms(id)).toEqual({ platform: 'A Console', names });
    expect(await records.findSearchTerms(bare)).toEqual({ platform: 'B', names: ['Bare'] });
    expect(await records.findSearchTerms(none)).toBeNull();
    expect(await records.findSearchTerms(none + 100)).toBeNull();
  });

  test('returns releases for the given ids in id order and omits unknown ids', async () => {
    const { engine, records } = await create();
    const first = await addRelease(engine, 'First');
    const second = await addRelease(engine, 'Second');
    await addRelease(engine, 'Third');
    const found = await records.releasesOf([second, 9999, first, second]);
    expect(found.map(({ id, name }) => [id, name])).toEqual([
      [first, 'First'],
      [second, 'Second'],
    ]);
    expect(await records.releasesOf([])).toEqual([]);
  });

  describe('a miss of the cover source', () => {
    test('is returned as it was last recorded for a release', async () => {
      const { engine, records } = await create();
      const id = await addRelease(engine, 'A Game');
      expect(await records.findMiss(id)).toBeNull();
      await records.recordMiss(id, miss);
      expect(await records.findMiss(id)).toEqual(miss);
      const failure: CoverMiss = { ...miss, kind: 'failure', reason: '"ü"', requestedAt: 0 };
      await records.recordMiss(id, failure);
      expect(await records.findMiss(id)).toEqual(failure);
    });

    test('is deleted with its release, and ignored for a deleted release', async () => {
      const { engine, records } = await create();
      const id = await addRelease(engine, 'A Game');
      await records.recordMiss(id, miss);
      await removeRelease(engine, id);
      await records.recordMiss(id, miss);
      expect(await records.findMiss(id)).toBeNull();
    });
  });

  test('lists all releases, or those of one system, in id order', async () => {
    const { engine, records } = await create();
    expect(await allReleases(records)).toEqual([]);
    const [b, a, video] = [
      await addRelease(engine, 'B'),
      await addRelease(engine, 'A'),
      await addRelease(engine, 'V', { system: 'videos' }),
    ];
    const games = [
      { id: b, system: 'games', name: 'B' },
      { id: a, system: 'games', name: 'A' },
    ];
    const videos = [{ id: video, system: 'videos', name: 'V' }];
    expect(await allReleases(records)).toEqual([...games, ...videos]);
    expect(await allReleases(records, 'games')).toEqual(games);
    expect(await allReleases(records, 'videos')).toEqual(videos);
    expect(await allReleases(records, 'other')).toEqual([]);
  });

  test('returns the releases with a cover from a disc', async () => {
    const { engine, records } = await create();
    const [disc, source] = [await addRelease(engine, 'D'), await addRelease(engine, 'S')];
    await engine.write((trx) =>
      trx
        .insertInto('cover_origin')
        .values([
          { release_id: disc, kind: 'disc', origin: 'x', name: `${disc}.png` },
          { release_id: source, kind: 'source', origin: 'x', name: `${source}.png` },
        ])
        .execute(),
    );
    expect(await records.releasesFromDisc()).toEqual(new Set([disc]));
  });

  test('returns the releases of which the library has a file, each once', async () => {
    const { engine, records } = await create();
    const [owned, other] = [await addRelease(engine, 'Owned'), await addRelease(engine, 'Other')];
    await addRelease(engine, 'Missing');
    expect(await records.ownedReleases()).toEqual([]);
    for (const [name, id] of [
      ['a', owned],
      ['b', owned],
      ['c', other],
      ['d', null],
    ] as const) {
      await addLibraryFile(engine, `/games/${name}.iso`, { disc: 'psx' }, id);
    }
    const found = await records.ownedReleases();
    expect(found.toSorted((a, b) => a - b)).toEqual([owned, other]);
  });

  test('returns matched PSP and UMD Video images below the roots, in path order', async () => {
    const { engine, records } = await create();
    const id = await addRelease(engine, 'A Game');
    const add = (path: string, disc: string | null, more: object = {}) =>
      addLibraryFile(engine, path, { disc, ...more }, id);
    await add('/games/b.iso', 'psp');
    await add('/games/a.iso', 'umd-video');
    await add('/games/c.iso', 'psx');
    await add('/games/d.iso', null, { title: '"psp"', evidence: { disc: 'psp' } });
    await add('/games/e.iso', 'umd-audio', { evidence: { kind: 'umd-video' } });
    await add('/videos/a.iso', 'umd-video');
    await add('/other/a.iso', 'psp');
    await addLibraryFile(engine, '/games/unknown.iso', { disc: 'psp' }, null);
    expect(await records.discImages(['/games', '/videos', '/none'])).toEqual(
      ['/games/a.iso', '/games/b.iso', '/videos/a.iso'].map((path) => ({ releaseId: id, path })),
    );
    expect(await records.discImages([])).toEqual([]);
  });
}

async function addSourceRow(
  engine: Engine,
  releaseId: number,
  name: string,
  isShown: boolean,
): Promise<void> {
  await engine.write(async (trx) => {
    const { platform_id } = await trx
      .selectFrom('release')
      .select('platform_id')
      .where('id', '=', releaseId)
      .executeTakeFirstOrThrow();
    const { id } = await trx
      .insertInto('source')
      .values({ platform_id: platform_id ?? 0, name, header_name: '', system: 'games' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const texts = { ...emptyTexts, roms_digest: '', search: '' };
    const dumps = { dump_sha1: '', dump_md5: '', dump_crc: '' };
    await trx
      .insertInto('source_row')
      .values({
        ...texts,
        ...dumps,
        source_id: id,
        release_id: releaseId,
        name,
        is_shown: isShown,
        gone: false,
      })
      .execute();
  });
}

/** Adds a library file. The root of the file is the folder that contains it. */
async function addLibraryFile(
  engine: Engine,
  path: string,
  identity: object,
  releaseId: number | null,
): Promise<void> {
  const root = path.slice(0, path.lastIndexOf('/'));
  await engine.write(async (trx) => {
    await trx
      .insertInto('library_root')
      .values({ path: root, system: 'games', scanned_at: null, problem: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { id } = await trx
      .selectFrom('library_root')
      .select('id')
      .where('path', '=', root)
      .executeTakeFirstOrThrow();
    const nothing = { serial: null, image_size: null, crc32: null, md5: null, sha1: null };
    await trx
      .insertInto('library_file')
      .values({
        ...nothing,
        root_id: id,
        path,
        name: path.slice(root.length + 1),
        size: 1,
        mtime_ns: 1,
        inode: 1,
        identity: JSON.stringify(identity),
        release_id: releaseId,
        method: null,
        canonical: null,
        evidence: '{}',
        system: 'games',
        search: '',
        problem: null,
      })
      .execute();
  });
}
