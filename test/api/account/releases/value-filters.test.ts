import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let root: string;
let token: string;

const sha1 = createHash('sha1').update('content').digest('hex');
const rom = (name: string, hash = 'c'.repeat(40)) => [{ name, size: '7', sha1: hash }];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  token = (await makePerson(app, 'user')).token;
  const games = [
    { name: 'Hashed', region: 'Japan', roms: rom('Hashed.iso', sha1) },
    { name: 'Named', region: 'USA', roms: rom('Named.iso') },
    { name: 'the other', region: 'Europe', roms: [] },
  ];
  await importGames(app, games, 'Test - Console');
  await importGames(app, [{ name: 'Film', region: 'USA, Japan' }], 'Z - Video', 'videos');
  await writeFile(join(root, 'one.bin'), 'content');
  await writeFile(join(root, 'Named.bin'), 'other');
  await writeFile(join(app.data, 'covers', '1.png'), 'x');
  await writeFile(join(app.data, 'covers', '4.png'), 'x');
  const edit = (id: number, fields: object) =>
    app.catalog.releases.edit(id, fields, { kind: 'system' });
  await edit(1, { genre: 'Racing | Sports', publisher: 'Sega', release_date: '1996-01-02' });
  await edit(2, { genre: 'Puzzle', publisher: 'Sega', release_date: '1996' });
  await edit(3, { genre: 'Puzzle', publisher: 'Sony', release_date: '2001' });
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
const namesOf = ({ items }: Record<string, unknown>) =>
  (items as { name: string }[]).map(({ name }) => name);

describe('GET /releases', () => {
  test.each([
    ['platform=Test+-+Console%7CZ+-+Video&region=Japan', ['Film', 'Hashed']],
    ['region=Europe%7CUSA', ['Film', 'Named', 'the other']],
    ['genre=Puzzle', ['Named', 'the other']],
    ['genre=Racing+%7C%7C+Sports', ['Hashed']],
    ['genre=Racing+%7C%7C+Sports%7CPuzzle&publisher=Sega', ['Hashed', 'Named']],
    ['year=1996', ['Hashed', 'Named']],
    ['year=1996%7C2001&order=title', ['Hashed', 'Named', 'the other']],
    ['cover=have', ['Film', 'Hashed']],
    ['cover=missing&genre=Puzzle&year=2001', ['the other']],
    ['library=verified', ['Hashed']],
    ['library=have&publisher=Sega&cover=missing', ['Named']],
    ['genre=&year=&publisher=&cover=', ['Film', 'Hashed', 'Named', 'the other']],
    ['genre=Puzzle%00', []],
    ['unknown=1', ['Film', 'Hashed', 'Named', 'the other']],
  ])('finds with %s the names %j, and counts them', async (query, expected) => {
    const { status, json } = await get(`/api/releases?${query}&include=total`);
    expect([status, namesOf(json), json.total]).toEqual([200, expected, expected.length]);
    const facets = (await get(`/api/facets?${query}`)).json;
    const counts = facets.systems as { releases: number }[];
    expect(counts.reduce((sum, { releases }) => sum + releases, 0)).toBe(expected.length);
  });

  test('takes the first of repeated parameters', async () => {
    const { json } = await get('/api/releases?genre=Puzzle&genre=Racing');
    expect(namesOf(json)).toEqual(['Named', 'the other']);
  });

  test('applies a new or removed cover to the filter `cover` at once', async () => {
    const before = (await get('/api/releases?cover=missing')).json;
    expect(namesOf(before)).toEqual(['Named', 'the other']);
    await writeFile(join(app.data, 'covers', '3.png'), 'x');
    expect(namesOf((await get('/api/releases?cover=missing')).json)).toEqual(['Named']);
    await rm(join(app.data, 'covers', '3.png'));
    expect(namesOf((await get('/api/releases?cover=missing')).json)).toEqual(namesOf(before));
  });

  test('applies an edited genre to the filter `genre` at once', async () => {
    await app.catalog.releases.edit(3, { genre: 'Chess' }, { kind: 'system' });
    expect(namesOf((await get('/api/releases?genre=Chess')).json)).toEqual(['the other']);
    expect(namesOf((await get('/api/releases?genre=Puzzle')).json)).toEqual(['Named']);
    await app.catalog.releases.edit(3, { genre: 'Puzzle' }, { kind: 'system' });
    expect(namesOf((await get('/api/releases?genre=Puzzle')).json)).toHaveLength(2);
  });

  test.each(['cover=some', 'library=Verified'])(
    'refuses the invalid value in %s',
    async (query) => {
      const { status, json } = await get(`/api/releases?${query}`);
      const [field] = query.split('=');
      expect([status, json.detail]).toEqual([422, expect.stringMatching(`^${field}: must be `)]);
    },
  );

  test('takes 100 values of a filter, and refuses more', async () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, at) => `r${at}`).join('%7C');
    for (const field of ['platform', 'region', 'genre', 'year', 'publisher']) {
      for (const list of ['releases', 'facets', 'letters']) {
        expect((await get(`/api/${list}?${field}=${values(100)}`)).status).toBe(200);
        const { status, json } = await get(`/api/${list}?${field}=${values(101)}`);
        expect([status, json.detail]).toEqual([422, `${field}: must be at most 100 values`]);
      }
    }
  });

  test('requires a user for `library=verified`, but not for `cover=have`', async () => {
    expect((await request('GET', '/api/releases?library=verified')).status).toBe(401);
    expect((await request('GET', '/api/releases?cover=have')).status).toBe(200);
  });
});

describe('GET /facets?include', () => {
  test('adds the counts of the requested fields to the default ones, and no others', async () => {
    const { json } = await get('/api/facets?include=genre,year,publisher,library,cover');
    expect(json).toMatchObject({
      genres: [
        { genre: 'Puzzle', releases: 2 },
        { genre: 'Racing | Sports', releases: 1 },
      ],
      years: [
        { year: '1996', releases: 2 },
        { year: '2001', releases: 1 },
      ],
      publishers: [
        { publisher: 'Sega', releases: 2 },
        { publisher: 'Sony', releases: 1 },
      ],
      library: { have: 2, missing: 2, verified: 1 },
      covers: { have: 2, missing: 2 },
    });
    const plain = (await get('/api/facets')).json;
    expect(Object.keys(plain)).toEqual(['systems', 'platforms', 'regions']);
    const some = (await get('/api/facets?include=year&q=nothing')).json;
    expect(some).toEqual({ systems: [], platforms: [], regions: [], years: [] });
  });

  test('counts each field with `others=1` under all filters except its own', async () => {
    const query =
      'others=1&genre=Puzzle&publisher=Sony&cover=missing&include=genre,publisher,cover';
    const { json } = await get(`/api/facets?${query}`);
    expect(json).toMatchObject({
      genres: [{ genre: 'Puzzle', releases: 1 }],
      publishers: [
        { publisher: 'Sega', releases: 1 },
        { publisher: 'Sony', releases: 1 },
      ],
      covers: { have: 0, missing: 1 },
    });
  });

  test('refuses an unknown field, and the field `library` for anonymous users', async () => {
    const { status, json } = await get('/api/facets?include=developer');
    expect([status, json.detail]).toEqual([422, 'include: there is no field developer']);
    expect((await request('GET', '/api/facets?include=library')).status).toBe(401);
    expect((await request('GET', '/api/facets?include=cover')).status).toBe(200);
    const { headers } = await get('/api/facets?include=library');
    expect(headers['cache-control']).toBe('private');
  });
});

describe('GET /letters?order', () => {
  test('returns where each letter starts in the list by title or by name', async () => {
    const letters = async (query: string) =>
      (await get(`/api/letters?${query}`)).json.items as object[];
    expect(await letters('order=title')).toEqual([
      { initial: 'f', offset: 0, releases: 1 },
      { initial: 'h', offset: 1, releases: 1 },
      { initial: 'n', offset: 2, releases: 1 },
      { initial: 'o', offset: 3, releases: 1 },
    ]);
    expect(await letters('order=title&genre=Puzzle')).toEqual([
      { initial: 'n', offset: 0, releases: 1 },
      { initial: 'o', offset: 1, releases: 1 },
    ]);
    expect(await letters('order=name')).toEqual(await letters(''));
    expect((await letters('')).at(-1)).toEqual({ initial: 't', offset: 3, releases: 1 });
  });

  test.each(['newest', 'relevance', ''])('refuses the order %j', async (order) => {
    const { status, json } = await get(`/api/letters?order=${order}`);
    expect([status, json]).toEqual([422, { detail: 'order: must be name or title' }]);
  });
});
