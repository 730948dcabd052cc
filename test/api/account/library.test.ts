import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

type Item = Record<string, unknown> & { id: number; name: string };

let app: TestApp;
let request: Requester;
let root: string;
let tokens: { user: string; editor: string };

const sha1 = createHash('sha1').update('content').digest('hex');

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  tokens = {
    user: (await makePerson(app, 'user')).token,
    editor: (await makePerson(app, 'editor')).token,
  };
  const rom = (name: string, more = {}) => [{ name, size: '7', sha1: 'a'.repeat(40), ...more }];
  await importGames(app, [
    { name: 'Found', roms: rom('Found & more.iso', { sha1 }) },
    { name: 'By name', roms: rom('By name.iso', { size: '5' }) },
    { name: 'Twin', roms: rom('Twin.iso') },
  ]);
  await importGames(
    app,
    [{ name: 'Twin', roms: rom('Twin.iso', { sha1: 'b'.repeat(40) }) }],
    'Other',
  );
  const files = {
    'By name.bin': 'other',
    'Twin.bin': 'twin',
    'unknown.bin': 'who',
    'cut.zip': 'PK\x03\x04 cut',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  await scan();
  // Scanned last, so that it is the newest file: one scan records its files in any order.
  await mkdir(join(root, 'folder'));
  await writeFile(join(root, 'folder/Pokémon.bin'), 'content');
  await scan();
});
const scan = () =>
  app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const get = (path: string, token = tokens.user) => request('GET', path, { token });
async function items(query: string): Promise<Item[]> {
  const { status, json } = await get(`/api/library?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return json.items as Item[];
}
const names = async (query: string) => (await items(query)).map(({ name }) => name);
const idOf = async (search: string) => (await items(`search=${search}`))[0]?.id;
const releaseId = async (name: string, nth = 0) => {
  const { json } = await get(`/api/releases?q=${encodeURIComponent(name)}`);
  return (json.items as Item[])[nth]?.id ?? 0;
};
const match = async (file: unknown, json: unknown, token = tokens.editor) => {
  const { status, json: response } = await request('POST', `/api/library/${file}/match`, {
    token,
    json,
  });
  return [status, response.detail ?? response];
};

describe('GET /library', () => {
  test('lists the files below the roots by name, with exactly the documented fields', async () => {
    const { json } = await get('/api/library');
    expect({ ...json, items: [] }).toEqual({ items: [], total: 5, limit: 50, offset: 0 });
    const listed = json.items as Item[];
    expect(listed.map(({ name }) => name)).toEqual([
      'By name.bin',
      'Pokémon.bin',
      'Twin.bin',
      'cut.zip',
      'unknown.bin',
    ]);
    expect(listed[1]).toEqual({
      id: expect.any(Number),
      name: 'Pokémon.bin',
      size: 7,
      modified_at: expect.stringMatching(/^20\d\d-.*Z$/),
      system: 'games',
      release_id: await releaseId('Found'),
      release_name: 'Found',
      serial: null,
      method: 'sha1',
      canonical: 'Found & more.iso',
      problem: null,
    });
    const [first] = (await get('/api/library', tokens.editor)).json.items as Item[];
    expect(first?.path).toBe(join(root, 'By name.bin'));
  });

  test.each([
    ['state=matched', ['Pokémon.bin']],
    ['state=by-name', ['By name.bin']],
    ['state=ambiguous', ['Twin.bin']],
    ['state=unknown', ['cut.zip', 'unknown.bin']],
    ['state=damaged', ['cut.zip']],
    ['state=unknown&system=games&search=who', []],
    ['system=videos', []],
    ['search=pokemon+BIN', ['Pokémon.bin']],
    ['search=more', ['Pokémon.bin']],
    ['search=%25', []],
    ['search=%00', []],
    ['limit=2&offset=1', ['Pokémon.bin', 'Twin.bin']],
    ['limit=0', ['By name.bin']],
    ['offset=-3&limit=1', ['By name.bin']],
  ])('filters and pages by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('applies the filter to `total`, and all of it but the state to `counts`', async () => {
    const counts = { matched: 1, 'by-name': 1, ambiguous: 1, unknown: 2, damaged: 1 };
    const { json } = await get('/api/library?state=unknown&limit=1&include=counts,state');
    expect(json).toMatchObject({ total: 2, counts, items: [{ state: 'unknown' }] });
    const narrowed = (await get('/api/library?search=twin&include=counts')).json;
    expect(narrowed).toMatchObject({
      total: 1,
      counts: { ...counts, matched: 0, 'by-name': 0, unknown: 0, damaged: 0 },
    });
  });

  test.each([
    ['state=lost', /^state: /],
    ['include=path', /^include: /],
    ['limit=x', /^limit: /],
    [`search=${'a+'.repeat(17)}`, /^search: must be at most 16 words/],
  ])('refuses %s with 422', async (query, detail) => {
    const { status, json } = await get(`/api/library?${query}`);
    expect([status, json.detail]).toEqual([422, expect.stringMatching(detail)]);
  });

  test('requires a user, while GET /library/roots requires an editor', async () => {
    expect((await request('GET', '/api/library')).status).toBe(401);
    expect((await get('/api/library/roots')).status).toBe(403);
    const { json } = await get('/api/library/roots', tokens.editor);
    const scanned_at = expect.stringMatching(/Z$/);
    expect(json.items).toContainEqual({
      path: root,
      system: 'games',
      scanned_at,
      files: 5,
      problem: null,
    });
  });
});

describe('GET /library/{file_id}', () => {
  test('returns the content of the file and the evidence for its match', async () => {
    const { json } = await get(`/api/library/${await idOf('pokemon')}`);
    const found = { id: await releaseId('Found'), name: 'Found' };
    expect(json).toMatchObject({
      name: 'Pokémon.bin',
      state: 'matched',
      crc32: expect.stringMatching(/^[0-9a-f]{8}$/),
      sha1,
      read: { container: 'unknown', disc: null, serial: null, region: [], details: [] },
      pointed_at: [{ method: 'sha1', releases: [found] }],
      candidates: [],
      decided_by: null,
    });
    expect(json.path).toBeUndefined();
  });

  test('returns the candidates of an ambiguous file', async () => {
    const { json } = await get(`/api/library/${await idOf('twin')}`);
    expect(json).toMatchObject({ state: 'ambiguous', release_id: null, method: null });
    const twins = [0, 1].map(async (nth) => ({ id: await releaseId('Twin', nth), name: 'Twin' }));
    expect(json.candidates).toEqual(await Promise.all(twins));
    expect(json.choices).toBeUndefined();
  });

  test('returns with `include=choices` what distinguishes candidates of one name', async () => {
    const { json } = await get(`/api/library/${await idOf('twin')}?include=choices`);
    const named = (json.choices as Item[]).map(({ name, platform }) => [name, platform]);
    expect(named).toEqual([
      ['Twin', 'Test - Console'],
      ['Twin', 'Other'],
    ]);
    expect(Object.keys((json.choices as Item[])[0] ?? {})).toEqual([
      ...['id', 'name', 'platform', 'region', 'serial'],
    ]);
    const other = await get(`/api/library/${await idOf('twin')}?include=no`);
    expect([other.status, other.json.detail]).toEqual([422, 'include: there is no field no']);
  });

  test('responds 404 to an unknown id', async () => {
    for (const id of [999, 0, -1]) expect((await get(`/api/library/${id}`)).status).toBe(404);
    expect((await get('/api/library/x')).status).toBe(422);
  });
});

describe('POST /library/{file_id}/match', () => {
  test('assigns a release, and removes it again with null', async () => {
    const file = await idOf('twin');
    const release_id = await releaseId('Twin', 1);
    expect(await match(file, { release_id })).toEqual([200, { ok: true }]);
    const { json } = await get(`/api/library/${file}`);
    expect(json).toMatchObject({
      release_id,
      method: 'manual',
      state: 'matched',
      canonical: 'Twin.iso',
    });
    const ofRelease = (await get(`/api/releases/${release_id}/library`)).json.items;
    expect(ofRelease).toMatchObject([{ name: 'Twin.bin', method: 'manual' }]);
    const audit = (await get('/api/audit?action=library.match', app.adminToken)).json.items;
    expect(audit).toMatchObject([
      { target: `library/${file}`, detail: { file: 'Twin.bin', release: release_id } },
    ]);
    expect(await match(file, { release_id: null })).toEqual([200, { ok: true }]);
    expect((await get(`/api/library/${file}`)).json).toMatchObject({
      state: 'ambiguous',
      method: null,
    });
  });

  test('refuses unknown files and releases, invalid bodies, and plain users', async () => {
    const file = await idOf('twin');
    const unknown = [422, 'release_id: there is no release 999'];
    expect(await match(file, { release_id: 999 })).toEqual(unknown);
    expect(await match(999, { release_id: 999 })).toEqual([404, 'not found']);
    for (const body of [{}, { release_id: 'x' }, { release_id: 1.5 }]) {
      const [status, detail] = await match(file, body);
      expect([status, detail]).toEqual([422, expect.stringMatching(/^release_id: /)]);
    }
    expect(await match(file, { release_id: null }, tokens.user)).toEqual([403, 'forbidden']);
  });
});

describe('the collection', () => {
  test('is reported in the session of a user, and not to anonymous users', async () => {
    expect((await get('/api/session')).json).toMatchObject({ collection: true });
    expect((await request('GET', '/api/session')).json).toMatchObject({ collection: false });
  });

  test('shows with `include=owned` how releases are owned, but only to users', async () => {
    const list = async (token?: string) => {
      const response = await request('GET', '/api/releases?include=owned', {
        ...(token && { token }),
      });
      expect(response.headers['cache-control']).toContain('private');
      return (response.json.items as Item[]).map(({ name, owned }) => [name, owned]);
    };
    expect(await list(tokens.user)).toEqual([
      ['By name', 'name'],
      ['Found', 'verified'],
      ['Twin', null],
      ['Twin', null],
    ]);
    expect((await list()).map(([, owned]) => owned)).toEqual(Array(4).fill(undefined));
  });

  test('comes first among equally good matches for users alone, in private responses', async () => {
    const list = async (token?: string) => {
      const path = '/api/releases?search=n&order=relevance';
      const response = await request('GET', path, { ...(token && { token }) });
      expect(response.headers['cache-control']).toBe('private, no-cache');
      return (response.json.items as Item[]).map(({ name }) => name);
    };
    // The same URL is requested several times, so that a cached response would show.
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await list()).toEqual(['Twin', 'Twin', 'Found', 'By name']);
      expect(await list(tokens.user)).toEqual(['Found', 'By name', 'Twin', 'Twin']);
    }
    const { headers } = await request('GET', '/api/releases?order=relevance');
    expect(headers['cache-control']).toBe('no-cache');
  });

  test('lists the recently added releases, newest first', async () => {
    const { json } = await get('/api/library/recent?include=platform,owned');
    const recent = json.items as Item[];
    expect(recent.map(({ name, owned }) => [name, owned])).toEqual([
      ['Found', 'verified'],
      ['By name', 'name'],
    ]);
    expect((await get('/api/library/recent?limit=1')).json.items).toHaveLength(1);
    expect((await get('/api/library/recent?include=total')).status).toBe(422);
  });
});
