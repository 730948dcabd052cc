import { readdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CoverSearch } from '../../src/core/covers/cover-search.ts';
import { importGames } from '../support/data/dats.ts';
import { startTestApp } from '../support/http/app.ts';
import { type MinimalApp, startMinimalApp } from '../support/http/minimal-app.ts';
import { createRequester } from '../support/http/requester.ts';
import {
  actor,
  chunks,
  coversOf,
  png,
  signal,
  useCatalog,
  useCoverSearch,
  useSource,
} from './covers-fixture.ts';

const folder = '/Test%20-%20Console/Named_Boxarts';
const day = 24 * 60 * 60_000;
const minutes = 60_000;
const search = { signal, isBackground: false };

async function useMinimal(base: string, data?: string): Promise<MinimalApp> {
  const env = { CATALOG_COVER_SOURCE: base };
  const existing = { data: data ?? '', database: '' };
  const app = await startMinimalApp(data === undefined ? { env } : { env, existing });
  onTestFinished(() => app.close());
  return app;
}

describe('the cover search', () => {
  test('sends one request to the source, then returns the stored cover', async () => {
    const source = await useSource(coversOf('A Game (Europe)'));
    const app = await useMinimal(source.base);
    await importGames(app, ['A Game (Europe)']);
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await createRequester(app.url)('GET', '/api/cover/1');
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('image/png');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.body).toEqual(png('/Test - Console/Named_Boxarts/A Game (Europe).png'));
    }
    expect(source.requests).toEqual([`${folder}/A%20Game%20(Europe).png`]);
    expect(await app.catalog.covers.originOf(1)).toBe('source');
  });

  test('serves only stored covers through the account API', async () => {
    const source = await useSource(coversOf('A Game'));
    const app = await startTestApp({ 'cover-source': source.base });
    onTestFinished(() => app.close());
    await importGames(app, ['A Game']);
    const options = { token: app.adminToken };
    expect((await createRequester(app.url)('GET', '/api/cover/1', options)).status).toBe(404);
    expect(source.requests).toEqual([]);
  });

  test('shares one search among concurrent readers of one cover', async () => {
    const open: ServerResponse[] = [];
    const source = await useSource((_request, response) => void open.push(response));
    const app = await useMinimal(source.base);
    await importGames(app, ['A Game']);
    let searches = 0;
    const { coverSearch } = app.catalog;
    const search = vi.spyOn(coverSearch, 'search').mockImplementation((...args) => {
      searches += 1;
      return CoverSearch.prototype.search.apply(coverSearch, args);
    });
    onTestFinished(() => search.mockRestore());
    const responses = Array.from({ length: 10 }, () =>
      createRequester(app.url)('GET', '/api/cover/1'),
    );
    await expect.poll(() => searches + open.length).toBeGreaterThanOrEqual(11);
    for (const response of open) response.end(png());
    expect((await Promise.all(responses)).map((response) => response.status)).toEqual(
      Array(10).fill(200),
    );
    expect(source.requests.length).toBe(1);
  });

  test('remembers a miss per source, also for other servers with the same data', async () => {
    const source = await useSource();
    const other = await useSource(coversOf('A Game'));
    const app = await useMinimal(source.base);
    await importGames(app, ['A Game']);
    const same = await useMinimal(source.base, app.data);
    const elsewhere = await useMinimal(other.base, app.data);
    for (const one of [app, app, same]) {
      const response = await createRequester(one.url)('GET', '/api/cover/1');
      expect(response).toMatchObject({ status: 404, json: { error: 'no cover available' } });
    }
    expect(source.requests.length).toBe(1);
    expect((await createRequester(elsewhere.url)('GET', '/api/cover/1')).status).toBe(200);
  });

  test('does not search for an unknown release', async () => {
    const source = await useSource(coversOf('A Game'));
    const app = await useMinimal(source.base);
    const response = await createRequester(app.url)('GET', '/api/cover/1');
    expect(response).toMatchObject({ status: 404, json: { error: 'not found' } });
    expect(source.requests).toEqual([]);
  });

  test('reports no cover when no source is configured', async () => {
    const { catalog } = await useCatalog(['A Game']);
    await expect(catalog.coverSearch.openOrFetch(1)).rejects.toThrow('no cover available');
  });

  test('searches by names in DATs even after a rename, first by the original name', async () => {
    const source = await useSource(coversOf('Other Name'));
    const fixture = await useCatalog([{ name: 'A Game (Europe)', roms: [rom] }], {
      base: source.base,
    });
    const { catalog } = fixture;
    await catalog.releases.edit(1, { own: { name: 'My Name' }, meta: {} } as never, actor);
    // Another source of the platform lists the same dump.
    await importGames({ catalog }, [{ name: 'Other Name', roms: [rom] }, 'Z 1', 'Z 2', 'Z 3']);
    const { file } = await catalog.coverSearch.openOrFetch(1);
    await file.close();
    expect(source.requests).toEqual([
      `${folder}/A%20Game%20(Europe).png`,
      `${folder}/Other%20Name.png`,
    ]);
  });

  const rom = { name: 'a.bin', size: '1', sha1: 'a'.repeat(40) };

  test.each([
    ['a miss', 404, day - 1000, 2000],
    ['a response that is not an image', 200, day - 1000, 2000],
    ['a failure', 500, 5 * minutes - 1000, 2000],
  ])(
    'searches again after %s once its lifetime has ended',
    async (_what, status, before, after) => {
      const source = await useSource((_, response) => response.writeHead(status).end('<html>'));
      const fixture = await useCatalog(['A Game']);
      const { coverSearch, wait } = await useCoverSearch(fixture, source.base);
      const sendsRequest = async () => {
        const earlier = source.requests.length;
        const { outcome } = await coverSearch.search(1, search);
        expect(outcome === 'recent-miss').toBe(source.requests.length === earlier);
        return source.requests.length > earlier;
      };
      expect(await sendsRequest()).toBe(true);
      wait(before);
      expect(await sendsRequest()).toBe(false);
      wait(after);
      expect(await sendsRequest()).toBe(true);
      wait(-2 * before); // simulates a clock that was set back
      expect(await sendsRequest()).toBe(true);
    },
  );

  test('remembers a failure for 5 minutes', async () => {
    const source = await useSource((_request, response) => response.writeHead(503).end());
    const fixture = await useCatalog(['A Game']);
    const { coverSearch, wait } = await useCoverSearch(fixture, source.base);
    expect(await coverSearch.search(1, search)).toMatchObject({ outcome: 'failure' });
    expect(await coverSearch.search(1, search)).toEqual({ outcome: 'recent-miss' });
    wait(5 * minutes + 1);
    expect(await coverSearch.search(1, search)).toMatchObject({ outcome: 'failure' });
  });

  test('pauses searches while the source is down and resumes afterwards', async () => {
    const source = await useSource((_request, response) => response.writeHead(503).end());
    const games = Array.from({ length: 6 }, (_, at) => `Game ${at}`);
    const fixture = await useCatalog(games);
    const { coverSearch, wait, failures } = await useCoverSearch(fixture, source.base);
    const outcomes: string[] = [];
    for (let id = 1; id <= 5; id += 1)
      outcomes.push((await coverSearch.search(id, search)).outcome);
    expect(outcomes).toEqual(['failure', 'failure', 'failure', 'suspended', 'suspended']);
    source.respond = (_request, response) => response.end(png());
    expect(await coverSearch.search(6, search)).toEqual({ outcome: 'suspended' });
    expect(failures.map(({ releaseId }) => releaseId)).toEqual([1, 2, 3]);
    const reason = 'it answers 503';
    expect(failures[0]).toEqual({ releaseId: 1, source: source.base, reason });
    wait(31_000);
    expect(await coverSearch.search(6, search)).toEqual({ outcome: 'stored' });
    expect(await coverSearch.search(5, search)).toEqual({ outcome: 'stored' });
  });

  test('does not delay other requests while the source is slow', async () => {
    const source = await useSource(() => undefined);
    const app = await useMinimal(source.base);
    await importGames(app, ['A Game', 'B Game']);
    await writeFile(join(app.data, 'covers', '2.png'), png());
    const slow = createRequester(app.url)('GET', '/api/cover/1');
    await expect.poll(() => source.requests.length).toBe(1);
    let isSlowAnswered = false;
    void slow.then(() => {
      isSlowAnswered = true;
    });
    expect((await createRequester(app.url)('GET', '/api/releases')).status).toBe(200);
    expect((await createRequester(app.url)('GET', '/api/cover/2')).status).toBe(200);
    expect(isSlowAnswered).toBe(false);
    await app.catalog.coverSearch.close(); // happens when the server stops
    expect(await slow).toMatchObject({ status: 503 });
  });

  test('keeps an uploaded cover when a fetched one arrives later', async () => {
    const source = await useSource();
    const fixture = await useCatalog(['A Game'], { base: source.base });
    const gone = Promise.withResolvers<void>();
    source.respond = (_request, response) =>
      void gone.promise.then(() => response.end(png('late')));
    const searched = fixture.catalog.coverSearch.search(1, search);
    await expect.poll(() => source.requests.length).toBe(1);
    await fixture.upload('A Game', Buffer.from('\xff\xd8\xffmine', 'latin1'));
    gone.resolve();
    expect(await searched).toEqual({ outcome: 'kept' });
    expect(await fixture.cover('A Game')).toMatch(/mine$/);
    expect(await fixture.catalog.covers.originOf(1)).toBe('manual');
  });

  test('knows whether a stored cover came from the source, a disc or a user', async () => {
    const { catalog, data, upload } = await useCatalog(['A Game']);
    const { covers } = catalog;
    const again = { evenIfRemoved: true };
    const put = async (kind: 'source' | 'disc', text: string) =>
      covers.put(1, await covers.stage(chunks(png(text))), actor, { kind, from: 'here' }, again);
    expect(await covers.originOf(1)).toBeNull();
    expect(await put('disc', 'one')).toBe('stored');
    expect(await covers.originOf(1)).toBe('disc');
    expect(await put('disc', 'two')).toBe('kept');
    expect(await put('source', 'three')).toBe('stored');
    expect(await covers.originOf(1)).toBe('source');
    expect(await put('source', 'four')).toBe('kept');
    await writeFile(join(data, 'covers', '1.png'), png('three'));
    expect(await covers.originOf(1)).toBe('manual');
    await covers.remove(1, actor);
    expect(await covers.originOf(1)).toBeNull();
    expect(await put('disc', 'five')).toBe('stored');
    await upload('A Game', png('six'));
    expect(await covers.originOf(1)).toBe('manual');
    expect(await put('source', 'seven')).toBe('kept');
  });

  test('leaves no file in tmp when a staged cover is not stored', async () => {
    const { catalog, data, upload } = await useCatalog(['A Game']);
    await upload('A Game', png());
    const staged = await catalog.covers.stage(chunks(png('other')));
    const origin = { kind: 'source', from: 'x' } as const;
    expect(await catalog.covers.put(1, staged, actor, origin)).toBe('kept');
    expect(await readdir(join(data, 'tmp'))).toEqual([]);
  });
});
