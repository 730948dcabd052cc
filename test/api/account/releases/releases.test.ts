import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let editor: string;
let next = 0;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const get = async (id: number) => (await request('GET', `/api/releases/${id}`)).json;
const patch = (id: number, json: unknown) =>
  request('PATCH', `/api/releases/${id}`, { token: editor, json });

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  editor = (await makePerson(app, 'editor')).token;
  const games = Array.from({ length: 700 }, (_, index) => `Game ${String(index).padStart(4, '0')}`);
  const roms = [
    { name: 'b.cue', size: '75', crc: 'ABCDEF01', md5: 'A'.repeat(32), sha1: 'B'.repeat(40) },
    { name: 'a & b.iso', size: '5000000000', serial: 'ULUS-1' },
    { name: 'bare.bin' },
  ];
  await importGames(app, [{ name: 'Whole', serial: 'S-1', region: 'Japan', roms }, ...games]);
  await importGames(app, ['Film'], 'Test - Film', 'videos');
});
afterAll(() => app.close());

/** Returns the id of a release that no other test has used. */
async function untouched(): Promise<number> {
  next += 1;
  const { items } = (await request('GET', `/api/releases?system=games&limit=1&offset=${next}`))
    .json;
  return (items as { id: number }[])[0]?.id ?? 0;
}

describe('endpoint 10, GET /releases', () => {
  test('returns exactly the documented fields of an item', async () => {
    const { items, ...rest } = (await request('GET', '/api/releases?q=Whole')).json;
    const [{ id }] = items as [{ id: number }];
    const item = { id, system: 'games', name: 'Whole', region: 'Japan', serial: 'S-1' };
    expect(items).toEqual([{ ...item, cover: `/api/cover/${id}` }]);
    expect(rest).toEqual({ limit: 50, offset: 0 });
  });

  test.each([
    ['', 50, 0, 50],
    ['limit=1', 1, 0, 1],
    ['limit=0', 1, 0, 1],
    ['limit=-5', 1, 0, 1],
    ['limit=-0', 1, 0, 1],
    ['limit=500', 500, 0, 500],
    ['limit=501', 500, 0, 500],
    ['limit=%2B7', 7, 0, 7],
    ['limit=+7', 7, 0, 7],
    ['limit=007', 7, 0, 7],
    ['limit=99999999999999999999999', 500, 0, 500],
    ['limit=-99999999999999999999999', 1, 0, 1],
    ['offset=-1', 50, 0, 50],
    ['offset=700', 50, 700, 2],
    ['offset=702', 50, 702, 0],
    ['offset=9007199254740991', 50, Number.MAX_SAFE_INTEGER, 0],
    ['offset=9007199254740993', 50, Number.MAX_SAFE_INTEGER, 0],
    [`offset=${'9'.repeat(400)}`, 50, Number.MAX_SAFE_INTEGER, 0],
    ['limit=2&limit=abc&offset=3&offset=9', 2, 3, 2],
    ['system=games&system=videos', 50, 0, 50],
    ['system=videos', 50, 0, 1],
    ['system=Videos', 50, 0, 0],
    ['system=video', 50, 0, 0],
    ['system=%25', 50, 0, 0],
    ['system=videos%00', 50, 0, 0],
    ['system=&q=', 50, 0, 50],
    ['q=Game+0001', 50, 0, 1],
    ['q=game%200001&unknown=1', 50, 0, 1],
  ])(
    'applies for ?%s the limit %i and the offset %i, and returns %i items',
    async (query, limit, offset, count) => {
      const response = await request('GET', `/api/releases?${query}`);
      expect([response.status, response.json.limit, response.json.offset]).toEqual([
        200,
        limit,
        offset,
      ]);
      expect(response.json.items).toHaveLength(count);
    },
  );

  test.each([
    'limit=',
    'limit=abc',
    'limit=1.5',
    'limit=1e3',
    'limit=0x10',
    'limit=NaN',
    'limit=Infinity',
    'limit=%D9%A3',
    'limit=1_0',
    'limit=--1',
    'limit=1%002',
    'limit=%202',
    'limit=2%20',
    'limit=%2B%202',
    'limit=++2',
    'limit=2+',
    'limit=%092',
    'limit=%202&limit=+2',
    'limit=abc&limit=1',
    'offset=',
    'offset=x',
    'offset=1e30',
    'offset=true',
    'offset=null',
    'offset=%EF%BC%91',
    'offset=%201',
  ])('refuses ?%s with 422 and a detail that names the field', async (query) => {
    const response = await request('GET', `/api/releases?${query}`);
    const field = query.split('=')[0] ?? '';
    expect([response.status, response.json.detail]).toEqual([422, expect.stringContaining(field)]);
  });
});

describe('endpoint 11, GET /releases/{release_id}', () => {
  test('returns ROMs in DAT order, missing values as "" and 0, and empty meta', async () => {
    const [{ id }] = (await request('GET', '/api/releases?q=Whole')).json.items as [{ id: number }];
    const none = { crc32: '', md5: '', sha1: '', serial: '' };
    const hashes = { crc32: 'abcdef01', md5: 'a'.repeat(32), sha1: 'b'.repeat(40) };
    expect(await get(id)).toEqual({
      id,
      system: 'games',
      name: 'Whole',
      region: 'Japan',
      serial: 'S-1',
      cover: `/api/cover/${id}`,
      description: 'd0',
      roms: [
        { name: 'b.cue', size: 75, ...hashes, serial: '' },
        { name: 'a & b.iso', size: 5_000_000_000, ...none, serial: 'ULUS-1' },
        { name: 'bare.bin', size: 0, ...none },
      ],
      meta: {},
    });
  });

  test.each([
    ['999999', 404, 'not found'],
    ['0', 404, 'not found'],
    ['-1', 404, 'not found'],
    ['99999999999999999999', 404, 'not found'],
    ['abc', 422, 'release_id'],
    ['1.0', 422, 'release_id'],
    ['1e0', 422, 'release_id'],
    ['%00', 422, 'release_id'],
    ['1;2', 422, 'release_id'],
  ])('responds to the id %s with %i `%s`', async (id, status, detail) => {
    const response = await request('GET', `/api/releases/${id}`);
    expect([response.status, response.json.detail]).toEqual([
      status,
      expect.stringContaining(detail),
    ]);
  });

  test('accepts an id with a sign and zeros, but no blanks', async () => {
    const id = await untouched();
    for (const spelling of [`+${id}`, `00${id}`, `%2B${id}`]) {
      expect((await request('GET', `/api/releases/${spelling}`)).json.id).toBe(id);
    }
    for (const spelling of [`%20${id}`, `${id}%20`, `%20${id}?release_id=+${id}`]) {
      expect((await request('GET', `/api/releases/${spelling}`)).status).toBe(422);
    }
  });
});

describe('endpoint 12, PATCH /releases/{release_id}', () => {
  test("overwrites the release's own fields and leaves meta untouched", async () => {
    const id = await untouched();
    const before = await get(id);
    const fields = { name: ' N\u{1F600} ', region: 'Mars', serial: 'X', description: '<b>"é' };
    expect(statusAndJson(await patch(id, fields))).toEqual([200, { ok: true }]);
    expect(await get(id)).toEqual({ ...before, ...fields });
    const emptied = { name: null, region: '', serial: null, description: '' };
    expect((await patch(id, emptied)).status).toBe(200);
    const empty = { name: '', region: '', serial: '', description: '' };
    expect(await get(id)).toEqual({ ...before, ...empty });
  });

  test('merges meta fields into a record marked manual, and creates it if missing', async () => {
    const id = await untouched();
    const before = await get(id);
    await patch(id, { developer: 'D', genre: 'G' });
    expect(await get(id)).toEqual({
      ...before,
      meta: { title: '', manual: true, developer: 'D', genre: 'G' },
    });
    await patch(id, { publisher: 'P', genre: '', synopsis: null, release_date: '1999' });
    const merged = {
      developer: 'D',
      publisher: 'P',
      genre: '',
      synopsis: '',
      release_date: '1999',
    };
    expect((await get(id)).meta).toEqual({ title: '', manual: true, ...merged });
  });

  test('uses the supplied title unless it is empty, otherwise the earlier one or ""', async () => {
    const id = await untouched();
    const titles: unknown[] = [];
    for (const json of [
      { genre: 'x' },
      { title: '' },
      { title: 'First' },
      { title: '' },
      { title: null },
      { genre: 'y' },
      { title: 'Second' },
    ]) {
      expect((await patch(id, json)).status).toBe(200);
      titles.push((await get(id)).meta);
    }
    const seen = titles.map((meta) => (meta as { title: string }).title);
    expect(seen).toEqual(['', '', 'First', 'First', 'First', 'First', 'Second']);
  });

  test('ignores unknown keys, and creates no meta without a meta field', async () => {
    const id = await untouched();
    const before = await get(id);
    for (const json of [
      undefined,
      {},
      { id: 5, system: 'videos', roms: [], meta: { title: 'x' } },
    ]) {
      expect(statusAndJson(await patch(id, json))).toEqual([200, { ok: true }]);
    }
    await patch(id, { manual: true, cover: 'x', constructor: { prototype: { genre: 'x' } } });
    const body = '{"__proto__": {"title": "x"}, "toString": 1}';
    const headers = { 'content-type': 'application/json' };
    const path = `/api/releases/${id}`;
    expect((await request('PATCH', path, { token: editor, headers, body })).status).toBe(200);
    expect(await get(id)).toEqual(before);
  });

  const fields =
    'name region serial description title release_date developer publisher genre synopsis'.split(
      ' ',
    );
  test.each(fields)(
    'refuses a wrong type of %s with 422 that names it, and changes nothing',
    async (field) => {
      const id = await untouched();
      const before = await get(id);
      for (const value of [5, 0, true, false, [], ['a'], {}, 1.5, 'a\0b']) {
        const other = field === 'region' ? 'serial' : 'region';
        const response = await patch(id, { [other]: 'changed', [field]: value });
        expect([response.status, response.json.detail]).toEqual([
          422,
          expect.stringContaining(field),
        ]);
      }
      expect(await get(id)).toEqual(before);
    },
  );

  test('replaces half a surrogate pair by U+FFFD', async () => {
    const id = await untouched();
    const body = '{"name": "a\\ud800b", "title": "\\udc00"}';
    const headers = { 'content-type': 'application/json' };
    await request('PATCH', `/api/releases/${id}`, { token: editor, headers, body });
    expect(await get(id)).toMatchObject({ name: 'a\ufffdb', meta: { title: '\ufffd' } });
  });

  test('responds 404 `not found` before it checks the body', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{}', '{"name": 5}', '[', '']) {
      const response = await request('PATCH', '/api/releases/999999', {
        token: editor,
        headers,
        body,
      });
      expect(statusAndJson(response)).toEqual([404, { detail: 'not found' }]);
    }
  });

  test('keeps all of 50 concurrent edits of different fields', async () => {
    const id = await untouched();
    const metas = fields.slice(4);
    const edits = Array.from({ length: 50 }, (_, i) =>
      patch(id, { [metas[i % 6] ?? '']: `v${i % 6}` }),
    );
    for (const response of await Promise.all(edits)) expect(response.status).toBe(200);
    const expected = Object.fromEntries(metas.map((field, i) => [field, `v${i}`]));
    expect((await get(id)).meta).toEqual({ ...expected, manual: true });
  });
});
