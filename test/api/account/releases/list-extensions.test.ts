import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}

const md5 = '0123456789abcdef'.repeat(2);
const sha1 = 'fedcba9876'.repeat(4);

let app: TestApp;
let request: Requester;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  const rom = { name: 'a.bin', size: '7', crc: 'ABCDEF01', md5: md5.toUpperCase(), sha1 };
  await importGames(app, [
    { name: 'Zebra', region: 'Japan', roms: [rom] },
    { name: 'Ape', region: 'Europe', roms: [{ name: 'b.bin', size: '8', crc: 'abcdef01' }] },
    { name: 'abcdef01 the name', region: 'USA, Europe' },
  ]);
  await importGames(app, [{ name: 'Film', region: 'Japan' }], 'Test - Video', 'videos');
});
afterAll(() => app.close());

const get = (path: string) => request('GET', path);
async function names(query: string): Promise<string[]> {
  const { status, json } = await get(`/api/releases?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return (json.items as Item[]).map(({ name }) => name);
}

describe('GET /releases', () => {
  test('writes the same JSON with and without an extra field', async () => {
    for (const filter of ['', 'limit=2&offset=1', 'q=APE', 'search=film', 'q=none']) {
      const path = `/api/releases?order=name&${filter}`;
      const { text, json } = await get(path);
      expect(text).toBe(JSON.stringify(json));
      const withTotal = await get(`${path}&include=total`);
      const { total } = withTotal.json;
      expect(withTotal.text).toBe(`${text.slice(0, -1)},"total":${total}}`);
    }
  });
});

describe('GET /releases?order', () => {
  test('lists by descending id for `newest`, and by name for `name` and by default', async () => {
    const { items } = (await get('/api/releases?order=newest')).json;
    const ids = (items as Item[]).map(({ id }) => id);
    expect(ids).toEqual([4, 3, 2, 1]);
    expect(await names('order=name')).toEqual(await names(''));
    expect(await names('')).toEqual(['Ape', 'Film', 'Zebra', 'abcdef01 the name']);
  });

  test('pages, filters and counts the newest releases', async () => {
    const { json } = await get(
      '/api/releases?order=newest&system=games&limit=2&offset=1&include=total',
    );
    expect(json).toMatchObject({ limit: 2, offset: 1, total: 3 });
    const all = await names('order=newest&system=games');
    expect((json.items as Item[]).map(({ name }) => name)).toEqual(all.slice(1));
    expect(await names('order=newest&order=nonsense')).toHaveLength(4);
  });

  test('lists by title without regard to case', async () => {
    expect(await names('order=title')).toEqual(['abcdef01 the name', 'Ape', 'Film', 'Zebra']);
    expect(await names('order=title&system=games&offset=1')).toEqual(['Ape', 'Zebra']);
  });

  test('lists the best matches first for `relevance`, or by name without a search', async () => {
    expect(await names('search=e')).toEqual(['Ape', 'Zebra', 'abcdef01 the name']);
    expect(await names('search=ze&order=relevance')).toEqual(['Zebra']);
    expect(await names('search=e&order=relevance&limit=2')).toEqual(['Ape', 'Zebra']);
    const hash = 'search=abcdef01&order=relevance';
    expect(await names(hash)).toEqual(['abcdef01 the name', 'Ape', 'Zebra']);
    const { json } = await get(`/api/releases?${hash}&limit=1&offset=1&include=total`);
    expect(json).toMatchObject({ items: [{ name: 'Ape' }], limit: 1, offset: 1, total: 3 });
    expect(await names('order=relevance')).toEqual(await names(''));
    expect(await names('order=relevance&search=+')).toEqual(await names(''));
  });

  test.each(['', 'oldest', 'Newest', 'name%20', 'id', '1', '%00'])(
    'refuses the order %j',
    async (order) => {
      const { status, json } = await get(`/api/releases?order=${order}`);
      expect([status, json]).toEqual([
        422,
        { detail: 'order: must be name or newest or title or relevance' },
      ]);
    },
  );
});

describe('GET /releases?search with a hash', () => {
  test.each([
    ['abcdef01', ['Ape', 'Zebra', 'abcdef01 the name']],
    ['ABCDEF01', ['Ape', 'Zebra', 'abcdef01 the name']],
    ['abcdef01+ape', ['Ape']],
    [md5, ['Zebra']],
    [sha1.toUpperCase(), ['Zebra']],
    [`${sha1}+${md5}+zeb`, ['Zebra']],
    ['abcdef0', ['abcdef01 the name']],
    ['abcdef011', []],
    [sha1.slice(0, 39), []],
    [`${sha1.slice(0, 39)}g`, []],
  ])('finds for `%s` the names %j', async (search, expected) => {
    expect(await names(`search=${search}`)).toEqual(expected);
  });

  test('counts the same release in /facets and /letters', async () => {
    const facets = (await get(`/api/facets?search=${sha1}`)).json;
    expect(facets.regions).toEqual([{ region: 'Japan', releases: 1 }]);
    const letters = (await get(`/api/letters?search=${sha1}`)).json;
    expect(letters.items).toEqual([{ initial: 'Z', offset: 0, releases: 1 }]);
  });

  test('finds nothing if the hash is in `q` instead', async () => {
    expect(await names(`q=${sha1}`)).toEqual([]);
  });
});

describe('GET /facets?others', () => {
  test('counts with `others=1` each list under all filters except its own', async () => {
    const { status, json } = await get('/api/facets?others=1&system=games&region=Japan');
    expect([status, json]).toEqual([
      200,
      {
        systems: [
          { system: 'games', releases: 1 },
          { system: 'videos', releases: 1 },
        ],
        platforms: [{ platform: 'Test - Console', releases: 1 }],
        regions: [
          { region: 'Europe', releases: 2 },
          { region: 'Japan', releases: 1 },
          { region: 'USA', releases: 1 },
        ],
      },
    ]);
  });

  test('counts with `others=0` each list under all filters, as by default', async () => {
    const filters = 'system=games&region=Japan';
    const plain = (await get(`/api/facets?${filters}`)).json;
    expect(plain.systems).toEqual([{ system: 'games', releases: 1 }]);
    expect((await get(`/api/facets?others=0&${filters}`)).json).toEqual(plain);
  });

  test.each(['', '2', '-1', 'true', 'yes', '1.0'])(
    'refuses the value %j, and names `others`',
    async (others) => {
      const { status, json } = await get(`/api/facets?others=${others}`);
      expect([status, json.detail]).toEqual([422, expect.stringMatching(/^others: must be /)]);
    },
  );
});
