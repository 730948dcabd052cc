import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames, oddTitles } from '../../support/data/dats.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';
import { byBytes, isLike } from '../../support/like.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}

let app: MinimalApp;
let request: Requester;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const list = async (query: string) => (await request('GET', `/api/releases${query}`)).json;
const items = async (query: string) => (await list(query)).items as Item[];
const names = async (query: string) => (await items(query)).map((item) => item.name);

beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
  const numbered = Array.from({ length: 600 }, (_, i) => `Number ${String(i).padStart(3, '0')}`);
  const [rich, ...others] = oddTitles;
  const roms = [
    { name: 'b.bin', size: '4700000000', crc32: 'ABCDEF01', md5: 'F'.repeat(32), serial: 'S-1' },
    { name: 'a.bin' },
  ].map(({ crc32, ...rom }) => ({ ...rom, ...(crc32 && { crc: crc32 }) }));
  const first = { name: rich, serial: 'ULES-00288', region: 'Europe', roms };
  await importGames(app as never, [first, ...others, ...numbered]);
  await importGames(app as never, ['A film', 'Number 000'], 'Test - Video', 'videos');
});
afterAll(() => app.close());

describe('endpoint 2, GET /api/summary', () => {
  test('counts releases by system, in the order of systems, byte for byte', async () => {
    const response = await request('GET', '/api/summary');
    const systems = [
      { system: 'games', releases: oddTitles.length + 600 },
      { system: 'videos', releases: 2 },
    ];
    expect([response.status, response.text]).toEqual([200, pretty({ systems })]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('endpoint 3, GET /api/releases', () => {
  test('returns the six fields of an item in order, byte for byte', async () => {
    const response = await request('GET', '/api/releases?q=Abc%20%26%20Def');
    const [item] = response.json.items as Item[];
    const id = item?.id ?? 0;
    const expected = {
      id,
      system: 'games',
      name: 'Abc & Def',
      region: 'Europe',
      serial: 'ULES-00288',
      cover: `/api/cover/${id}`,
    };
    expect(response.text).toBe(pretty({ items: [expected], limit: 50, offset: 0 }));
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
  });

  test.each([
    ['', 50, 0],
    ['?limit=7', 7, 0],
    ['?limit=500', 500, 0],
    ['?limit=501', 500, 0],
    ['?limit=99999999999999999999999', 500, 0],
    ['?limit=0', 0, 0],
    ['?limit=-0', 0, 0],
    ['?limit=%2B7', 7, 0],
    ['?limit=+7', 7, 0],
    ['?limit=%207%20', 7, 0],
    ['?limit=007', 7, 0],
    ['?limit=', 50, 0],
    ['?limit=7.0', 50, 0],
    ['?limit=7e1', 50, 0],
    ['?limit=0x7', 50, 0],
    ['?limit=%D9%A7', 50, 0],
    ['?limit=seven', 50, 0],
    ['?limit=null', 50, 0],
    ['?limit=7&limit=9', 7, 0],
    ['?limit=x&limit=9', 50, 0],
    ['?offset=3', 50, 3],
    ['?offset=-3', 50, 0],
    ['?offset=-99999999999999999999', 50, 0],
    ['?offset=x', 50, 0],
    ['?offset=1.5', 50, 0],
    ['?offset=', 50, 0],
    ['?offset=600', 50, 600],
    ['?offset=100000', 50, 100_000],
    ['?offset=99999999999999999999', 50, Number.MAX_SAFE_INTEGER],
    ['?limit=2&offset=621', 2, 621],
  ])('applies and echoes for `%s` limit %i and offset %i', async (query, limit, offset) => {
    const whole = await items('?limit=-1');
    expect(whole).toHaveLength(oddTitles.length + 602);
    const expected = { items: whole.slice(offset, offset + limit), limit, offset };
    expect(await list(query)).toEqual(expected);
  });

  test.each([
    ['-1', -1],
    ['-501', -501],
    ['-9007199254740993', Number.MIN_SAFE_INTEGER],
  ])('returns every row from the offset on for limit %s, echoed as %i', async (limit, echoed) => {
    const response = await request('GET', `/api/releases?limit=${limit}&offset=590`);
    const pages = [...(await items('?limit=500&offset=590')), ...(await items('?offset=1090'))];
    expect(pages).toHaveLength(oddTitles.length + 12);
    expect(response.text).toBe(pretty({ items: pages, limit: echoed, offset: 590 }));
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['?limit=-1&q=nothing%20has%20this', '?limit=-1&offset=100000', '?limit=-1&q=%00'])(
    'returns an empty list for `%s`, byte for byte',
    async (query) => {
      const response = await request('GET', `/api/releases${query}`);
      const offset = query.includes('offset') ? 100_000 : 0;
      expect(response.text).toBe(pretty({ items: [], limit: -1, offset }));
    },
  );

  test('orders releases by name in code point order, then by id', async () => {
    const all = await items('?limit=-1');
    const sorted = all.toSorted((a, b) => byBytes(a.name, b.name) || a.id - b.id);
    expect(all).toEqual(sorted);
    expect(await items('?limit=500')).toEqual(sorted.slice(0, 500));
  });

  test.each([
    ['?system=videos', ['A film', 'Number 000']],
    ['?system=Videos', []],
    ['?system=video', []],
    ['?system=%25', []],
    ['?system=videos&q=film', ['A film']],
    ['?system=&system=videos&q=number%20000', ['Number 000', 'Number 000']],
    ['?system=videos&system=games&q=number%20000', ['Number 000']],
    ['?system=videos&q=', ['A film', 'Number 000']],
    ['?system=videos&limit=-1', ['A film', 'Number 000']],
    ['?system=videos&limit=-1&offset=1', ['Number 000']],
    ['?q=number%20000&platform=Test%20-%20Video&search=film', ['Number 000', 'Number 000']],
  ])('returns for `%s` the names %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    'abc',
    'ÉLAN',
    '%',
    '_',
    '100%',
    'r_s',
    'x%s',
    '"',
    '\\',
    '\u{1F600}',
    'K',
    '  ',
    '0',
  ])('filters by q = %j as SQL LIKE does, with any limit', async (q) => {
    const expected = (await names('?limit=-1')).filter((name) => isLike(name, `%${q}%`));
    const query = `?q=${encodeURIComponent(q)}`;
    expect(await names(`${query}&limit=-1`)).toEqual(expected);
    expect(await names(`${query}&limit=500`)).toEqual(expected.slice(0, 500));
  });

  test.each(['x'.repeat(1001), 'a\0', '\0'])('finds nothing for an invalid q: %#', async (q) => {
    expect(await names(`?q=${encodeURIComponent(q)}`)).toEqual([]);
  });
});

describe('endpoint 4, GET /api/releases/{id}', () => {
  test('returns the item with description and ROMs, without meta, byte for byte', async () => {
    const [item] = await items('?q=Abc%20%26%20Def');
    const response = await request('GET', `/api/releases/${item?.id}`);
    const blank = { crc32: '', md5: '', sha1: '', serial: '' };
    const roms = [
      { ...blank, name: 'b.bin', size: 4_700_000_000, crc32: 'abcdef01', md5: 'f'.repeat(32) },
      { ...blank, name: 'a.bin', size: 0 },
    ].map(({ name, size, crc32, md5, sha1 }, i) => {
      return { name, size, crc32, md5, sha1, serial: i === 0 ? 'S-1' : '' };
    });
    expect(response.text).toBe(pretty({ ...item, description: 'd0', roms }));
  });

  test.each(['0', '999999', '9007199254740993', '9'.repeat(400), '0'.repeat(400)])(
    'responds to the unknown id %s with 404 `not found`',
    async (id) => {
      expect(statusAndJson(await request('GET', `/api/releases/${id}`))).toEqual([
        404,
        { error: 'not found' },
      ]);
    },
  );

  test.each(['x', '-1', '+1', '1.0', '1x', '%201', '1%0a', '%D9%A1', '1%00', '0x1', '1e0', '1,2'])(
    'treats the non-numeric id %s as an unknown path, whatever the method',
    async (id) => {
      for (const method of ['GET', 'POST']) {
        const response = await request(method, `/api/releases/${id}`);
        expect(statusAndJson(response)).toEqual([404, { error: 'not found' }]);
        expect(response.headers.allow).toBeUndefined();
      }
    },
  );

  test('accepts an id with percent-encoded digits or leading zeros', async () => {
    const [item] = await items('?limit=1');
    const id = String(item?.id);
    const encoded = [...id].map((digit) => `%3${digit}`).join('');
    for (const path of [encoded, `000${id}`, `${id}?x=1`]) {
      expect((await request('GET', `/api/releases/${path}`)).json.id).toBe(item?.id);
    }
  });
});
