import { mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';
import { byBytes } from '../../support/like.ts';
import { pollOptions } from '../../support/poll-options.ts';

let app: MinimalApp;
let request: Requester;
const folder = (area = 'games') => join(app.data, 'store', area);
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const missing = [404, { error: 'not found' }];
const get = (name: string, headers = {}, method = 'GET') =>
  request(method, `/api/store/download/${name}`, { headers });

beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
});
beforeEach(async () => {
  await rm(join(app.data, 'store'), { recursive: true, force: true });
  await mkdir(folder('games'), { recursive: true });
  await mkdir(folder('videos'), { recursive: true });
  await writeFile(join(folder(), 'ten'), '0123456789');
  await writeFile(join(folder('videos'), 'ten'), 'video');
});
afterAll(() => app.close());

describe('endpoint 7, GET /api/store', () => {
  test('returns name, filename, size and mtime_ns in all its digits, byte for byte', async () => {
    const path = join(folder(), 'ten');
    await utimes(path, 1_700_000_000, 1_700_000_000.123456);
    const { mtimeNs } = await stat(path, { bigint: true });
    expect(mtimeNs).toBeGreaterThan(2n ** 53n);
    const expected =
      '{\n  "items": [\n    {\n      "name": "ten",\n      "filename": "ten",\n      "size": 10,\n' +
      `      "mtime_ns": ${mtimeNs}\n    }\n  ],\n  "count": 1\n}`;
    const response = await request('GET', '/api/store');
    expect([response.status, response.text]).toEqual([200, expected]);
  });

  test.each([
    ['', 10],
    ['?system=', 10],
    ['?system=games', 10],
    ['?system=Videos', 10],
    ['?system=..%2F..', 10],
    ['?system=videos', 5],
    ['?system=videos&system=games', 5],
    ['?system=games&system=videos', 10],
  ])('uses the same area for `%s` as downloads do', async (query, size) => {
    const { items, count } = (await request('GET', `/api/store${query}`)).json;
    expect([count, items]).toMatchObject([1, [{ name: 'ten', size }]]);
    expect((await get(`ten${query}`)).body).toHaveLength(size);
  });

  test('lists only regular files in the folder and links to them, by code point', async () => {
    const names = ['b', 'B', 'é', '\u{1F600}', '\uFF5A', '.hidden', '100%.zip', 'x'.repeat(255)];
    for (const name of names) await writeFile(join(folder(), name), name);
    await mkdir(join(folder(), 'sub'));
    await symlink('b', join(folder(), 'link'));
    await symlink('../videos/ten', join(folder(), 'outside'));
    const { items, count } = (await request('GET', '/api/store')).json;
    const expected = [...names, 'link', 'ten'].toSorted(byBytes);
    expect((items as { name: string }[]).map((item) => item.name)).toEqual(expected);
    expect(count).toBe(expected.length);
  });

  test('lists nothing if the folder does not exist', async () => {
    await rm(join(app.data, 'store'), { recursive: true });
    const response = await request('GET', '/api/store');
    expect(response.text).toBe(JSON.stringify({ items: [], count: 0 }, null, 2));
  });
});

describe('endpoint 8, GET /api/store/download/{name}', () => {
  test('sends the bytes under their own name', async () => {
    const response = await get('ten');
    expect([response.status, response.text]).toEqual([200, '0123456789']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'content-disposition': 'attachment; filename="ten"',
      etag: expect.stringMatching(/^".+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'accept-ranges': 'bytes',
    });
  });

  test('sends 5 MiB completely', async () => {
    const bytes = Buffer.alloc(5 * 1_048_576, 'catalog ');
    await writeFile(join(folder(), 'big'), bytes);
    expect((await get('big')).body.equals(bytes)).toBe(true);
  });

  test.each([
    ['a b.zip', 'a%20b.zip', 'attachment; filename="a b.zip"'],
    ['é.zip', '%C3%A9.zip', `attachment; filename="_.zip"; filename*=UTF-8''%C3%A9.zip`],
    ['a%2Fb', 'a%252Fb', `attachment; filename="a%2Fb"; filename*=UTF-8''a%252Fb`],
    ['+', '+', 'attachment; filename="+"'],
  ])('sends %j when it is requested as %s', async (name, path, disposition) => {
    await writeFile(join(folder(), name), name);
    for (const url of [path, `${path}/`]) {
      const response = await get(url);
      expect([response.status, response.text]).toEqual([200, name]);
      expect(response.headers['content-disposition']).toBe(disposition);
    }
  });

  test.each([
    'none',
    'TEN',
    '.',
    '..',
    '%2E%2E',
    '..%2Fvideos%2Ften',
    '%2e%2e%2f%2e%2e%2fcatalog.db',
    'ten%2F',
    '%2Ften',
    '.%5Cten',
    'ten%00',
    '%00',
    'x'.repeat(256),
    'x'.repeat(8_000),
    'sub',
    'outside',
  ])('responds to %s, which is not an existing file, with 404 `not found`', async (name) => {
    await mkdir(join(folder(), 'sub'));
    await symlink('../videos/ten', join(folder(), 'outside'));
    expect(statusAndJson(await get(name))).toEqual(missing);
  });

  test('supports ETag and Range, and refuses a range beyond the end', async () => {
    const { etag = '' } = (await get('ten')).headers;
    const again = await get('ten', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    const part = await get('ten', { range: 'bytes=2-4' });
    expect([part.status, part.text]).toEqual([206, '234']);
    expect(part.headers['content-range']).toBe('bytes 2-4/10');
    const beyond = await get('ten', { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(Object.keys(beyond.json)).toEqual(['error']);
    expect(beyond.headers['content-type']).toBe('application/json; charset=utf-8');
    const head = await get('ten', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '10', '']);
  });

  test('records one download event for a whole GET only, without a user', async () => {
    const before = (await app.catalog.stats.get()).downloads;
    await get('ten', {}, 'HEAD');
    await get('ten', { range: 'bytes=2-4' });
    await get('ten', { range: 'bytes=10-' });
    await get('none');
    await get('ten?system=videos');
    const stats = await vi.waitFor(async () => {
      const now = await app.catalog.stats.get();
      expect(now.downloads).toBe(before + 1);
      return now;
    }, pollOptions);
    expect(stats.recent[0]).toMatchObject({
      system: 'videos',
      name: 'ten',
      bytes: 5,
      username: null,
    });
  });
});
