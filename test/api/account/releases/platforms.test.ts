import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingCsv } from '../../../../src/core/shared/missing-list.ts';
import { importDat, importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let root: string;
let token: string;

const platform = 'Test - "Console" | Co. &';
const sha1 = createHash('sha1').update('content').digest('hex');
const tracks = [
  {
    name: 'x (Track 1).bin',
    size: '700',
    crc: '0ddf00d5',
    md5: 'e'.repeat(32),
    sha1: 'a'.repeat(40),
  },
  { name: 'x (Track 2).bin', size: '7', sha1: 'b'.repeat(40), serial: 'S-2' },
];
const missing = [
  {
    name: '=HYPERLINK("http://x")',
    region: 'USA, Europe',
    serial: '-1+1',
    cloneof: 'Ünder "quotes", <tag> & more',
    roms: tracks,
  },
  {
    name: 'Ünder "quotes", <tag> & more',
    region: '@home',
    roms: [{ name: 'a & b.iso', size: '0' }],
  },
];

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  token = (await makePerson(app, 'user')).token;
  const rom = (name: string, hash = 'c') => [
    { name, size: '7', sha1: hash.repeat(40).slice(0, 40) },
  ];
  await importGames(
    app,
    [
      { name: 'Hashed', region: 'Japan', roms: rom('Hashed.iso', sha1) },
      { name: 'Named', region: 'Japan', roms: rom('Named.iso') },
      ...missing,
    ],
    platform,
  );
  await importGames(app, ['Film'], 'Z - Video', 'videos');
  for (const name of ['one.bin', 'two.bin']) await writeFile(join(root, name), 'content');
  await writeFile(join(root, 'Named.bin'), 'other');
  await writeFile(join(app.data, 'covers', '1.png'), 'x');
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const get = (path: string) => request('GET', path, { token });
const names = async (path: string) =>
  ((await get(path)).json.items as { name: string }[]).map(({ name }) => name);

describe('the API of platforms', () => {
  test('lists each platform with its numbers of releases, owned releases and covers', async () => {
    const { json } = await get('/api/platforms');
    const none = { have: 0, verified: 0, covers: 0 };
    const counts = { releases: 4, have: 2, verified: 1, covers: 1 };
    expect(json.items).toEqual([
      { id: 1, name: platform, system: 'games', ...counts },
      { id: 2, name: 'Z - Video', system: 'videos', releases: 1, ...none },
    ]);
  });

  test('filters releases by library=have and missing, together with other filters', async () => {
    expect(await names('/api/releases?library=have')).toEqual(['Hashed', 'Named']);
    const rest = [missing[0]?.name, 'Film', missing[1]?.name];
    expect(await names('/api/releases?library=missing')).toEqual(rest);
    expect(await names('/api/releases?library=missing&system=videos')).toEqual(['Film']);
    expect(await names('/api/releases?library=have&search=hash')).toEqual(['Hashed']);
    expect(await names('/api/releases?library=have&order=newest&limit=1')).toEqual(['Named']);
    const { json } = await get('/api/releases?library=missing&include=total&limit=1');
    expect(json.total).toBe(3);
    const { regions } = (await get('/api/facets?library=have')).json;
    expect(regions).toEqual([{ region: 'Japan', releases: 2 }]);
    const { items } = (await get('/api/letters?library=have')).json;
    expect(items).toEqual([
      { initial: 'H', offset: 0, releases: 1 },
      { initial: 'N', offset: 1, releases: 1 },
    ]);
  });

  test.each(['releases', 'facets', 'letters'])(
    'requires a user for the library filter of %s',
    async (list) => {
      expect((await request('GET', `/api/${list}?library=have`)).status).toBe(401);
      expect((await request('GET', `/api/${list}?library=`)).status).toBe(200);
      const { status, headers } = await get(`/api/${list}?library=have`);
      expect([status, headers['cache-control']]).toEqual([200, 'private']);
      const { json } = await get(`/api/${list}?library=some`);
      expect(json.detail).toMatch(/^library: must be /);
    },
  );

  describe('missing.csv', () => {
    test('quotes every cell, and lets no spreadsheet calculate one', async () => {
      const { status, headers, text } = await get('/api/platforms/1/missing.csv');
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(headers['content-disposition']).toContain('attachment; filename="Test - ');
      expect(text).toBe(
        [
          'name,region,serial,size,sha1',
          `"'=HYPERLINK(""http://x"")","USA, Europe","'-1+1","700","${'a'.repeat(40)}"`,
          `"Ünder ""quotes"", <tag> & more","'@home","","0",""`,
          '',
        ].join('\r\n'),
      );
    });

    test.each(['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\t', '\r', '\n'])(
      'puts an apostrophe before a cell that starts with %j',
      async (first) => {
        const release = { name: `${first}1+1`, region: `x${first}`, serial: '', description: '' };
        const lines: string[] = [];
        for await (const text of missingCsv(only([{ ...release, roms: [] }]))) lines.push(text);
        expect(lines.slice(1)).toEqual([`"'${first}1+1","x${first}","","",""\r\n`]);
      },
    );

    test('responds 404 for an unknown platform, like missing.dat', async () => {
      for (const name of ['csv', 'dat']) {
        expect((await get(`/api/platforms/99/missing.${name}`)).status).toBe(404);
      }
    });
  });

  describe('missing.dat', () => {
    test('restores the missing releases when it is imported into an empty instance', async () => {
      const { status, headers, text } = await get('/api/platforms/1/missing.dat');
      expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
      expect(text).toContain(' cloneof="Ünder &quot;quotes&quot;, &lt;tag&gt; &amp; more">');
      const file = join(root, 'fix.dat');
      await writeFile(file, text);
      const empty = await startTestApp();
      try {
        await importDat(empty, file, 'games');
        const read = async (server: TestApp, id: number) => {
          const releasePath = `/api/releases/${id}?include=platform`;
          const {
            id: _,
            cover: __,
            description: ___,
            ...rest
          } = (await createRequester(server.url)('GET', releasePath)).json;
          return rest;
        };
        const { items } = (await createRequester(empty.url)('GET', '/api/releases')).json;
        const brought = (items as { id: number; name: string }[]).toSorted((a, b) => a.id - b.id);
        expect(brought.map(({ name }) => name)).toEqual(missing.map(({ name }) => name));
        for (const [index, { id }] of brought.entries()) {
          const before = (
            await get(`/api/releases?q=${encodeURIComponent(missing[index]?.name ?? '')}`)
          ).json;
          const [same] = before.items as { id: number }[];
          expect(await read(empty, id)).toEqual(await read(app, same?.id ?? 0));
        }
      } finally {
        await empty.close();
      }
    });
  });

  test('reports areas, space, covers, jobs and 90 days of downloads in the dashboard', async () => {
    await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'four').catch(() => undefined);
    const admin = { token: app.adminToken };
    await request('POST', '/api/store/upload?system=videos', {
      ...admin,
      form: { bytes: 'seven..', filename: 'v.zip' },
    });
    await request('GET', '/api/store/download/videos/v.zip', admin);
    const { json } = await request('GET', '/api/dashboard', admin);
    expect(json).toMatchObject({ covers: 1, free_bytes: expect.any(Number), jobs: [] });
    expect(json.areas).toContainEqual({ system: 'videos', files: 1, bytes: 7 });
    const days = json.downloads as { day: string; count: number; bytes: number }[];
    expect(days).toHaveLength(90);
    expect(new Set(days.map(({ day }) => day)).size).toBe(90);
    expect(days.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), count: 1, bytes: 7 });
    expect(days[0]).toMatchObject({ count: 0, bytes: 0 });
  });

  test('counts a new import, cover or library file at once', async () => {
    const counts = async (name: string) => {
      const { items } = (await get('/api/platforms')).json as { items: Record<string, unknown>[] };
      const found = items.find((item) => item.name === name);
      return [found?.releases, found?.have, found?.covers];
    };
    await importGames(app, ['Late'], 'Z - Late');
    expect(await counts('Z - Late')).toEqual([1, 0, 0]);
    const { json } = await get('/api/releases?q=Late');
    const [{ id } = { id: 0 }] = json.items as { id: number }[];
    await writeFile(join(app.data, 'covers', `${id}.png`), 'x');
    expect(await counts('Z - Late')).toEqual([1, 0, 1]);
    await writeFile(join(root, 'Late.bin'), 'late');
    await app.catalog.library.list({ refresh: true });
    expect(await counts('Z - Late')).toEqual([1, 1, 1]);
  });
});
