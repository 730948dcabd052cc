import { rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';

let app: MinimalApp;
let request: Requester;
const folder = () => join(app.data, 'covers');
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const webp = Buffer.from('RIFF....WEBPVP8 ');

beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
  await importGames(app as never, ['One', 'Two']);
});
beforeEach(async () => {
  for (const name of ['1.png', '1.jpg', '1.webp']) await rm(join(folder(), name), { force: true });
});
afterAll(() => app.close());

describe('endpoint 6, GET /api/cover/{id}', () => {
  test.each([
    ['1.jpg', jpeg, 'image/jpeg'],
    ['1.png', png, 'image/png'],
    ['1.webp', webp, 'image/png'],
    ['1.png', jpeg, 'image/jpeg'],
    ['1.webp', jpeg, 'image/jpeg'],
    ['1.jpg', png, 'image/png'],
    ['1.jpg', Buffer.from('GIF89a'), 'image/png'],
    ['1.jpg', jpeg.subarray(0, 3), 'image/jpeg'],
    ['1.jpg', jpeg.subarray(0, 2), 'image/png'],
    ['1.png', Buffer.alloc(0), 'image/png'],
  ])('sends %s with the bytes %s as %s', async (name, bytes, type) => {
    await writeFile(join(folder(), name), bytes);
    const response = await request('GET', '/api/cover/1');
    expect([response.status, response.body.equals(bytes)]).toEqual([200, true]);
    expect(response.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(response.headers['content-disposition']).toBeUndefined();
    const head = await request('HEAD', '/api/cover/1');
    expect([head.status, head.headers['content-type']]).toEqual([200, type]);
    expect(head.headers['content-length']).toBe(String(bytes.length));
  });

  test('sends the newest of several covers, and 304 until it changes', async () => {
    await writeFile(join(folder(), '1.png'), png);
    await writeFile(join(folder(), '1.jpg'), jpeg);
    await utimes(join(folder(), '1.jpg'), 1, 1);
    const first = await request('GET', '/api/cover/1');
    expect(first.headers['content-type']).toBe('image/png');
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await request('GET', '/api/cover/1', { headers })).status).toBe(304);
    await utimes(join(folder(), '1.jpg'), new Date(), new Date(Date.now() + 5_000));
    expect((await request('GET', '/api/cover/1', { headers })).body.equals(jpeg)).toBe(true);
  });

  test('distinguishes an unknown release (`not found`) from one without a cover', async () => {
    expect(statusAndJson(await request('GET', '/api/cover/2'))).toEqual([
      404,
      { error: 'no cover available' },
    ]);
    await writeFile(join(folder(), '999.png'), png);
    for (const id of ['0', '999', '9'.repeat(50)]) {
      expect(statusAndJson(await request('GET', `/api/cover/${id}`))).toEqual([
        404,
        { error: 'not found' },
      ]);
    }
  });
});

describe('endpoint 9, GET /api/covers/{name}.zip', () => {
  test.each(['all.zip', 'A-b_c.9.zip', '..zip', '1.jpg.zip', '-.zip', `${'x'.repeat(251)}.zip`])(
    'sends %s as a zip, under its name',
    async (name) => {
      await writeFile(join(folder(), name), 'PK bundle');
      const response = await request('GET', `/api/covers/${name}`);
      expect([response.status, response.text]).toEqual([200, 'PK bundle']);
      expect(response.headers).toMatchObject({
        'content-type': 'application/zip',
        'content-length': '9',
        'content-disposition': `attachment; filename="${name}"`,
        etag: expect.any(String),
      });
      const part = await request('GET', `/api/covers/${name}`, { headers: { range: 'bytes=0-1' } });
      expect([part.status, part.text]).toEqual([206, 'PK']);
    },
  );

  test('records no download event', async () => {
    const before = (await app.catalog.stats.get()).downloads;
    await writeFile(join(folder(), 'all.zip'), 'PK');
    await request('GET', '/api/covers/all.zip');
    expect((await app.catalog.stats.get()).downloads).toBe(before);
  });

  test.each([
    'none.zip',
    'all.ZIP',
    'all',
    '.zip',
    '1.png',
    'a%20b.zip',
    'a(b).zip',
    '%C3%A9.zip',
    '..%2Fcatalog.zip',
    'sub%2Fall.zip',
    'sub/all.zip',
    'all.zip%00',
    'all.zip%0a',
    '%00.zip',
    'outside.zip',
    `${'x'.repeat(252)}.zip`,
    `${'x'.repeat(9_000)}.zip`,
  ])('responds to %s with 404 `not found`', async (name) => {
    for (const name of ['a b.zip', 'a(b).zip', 'é.zip', '.zip', '1.png']) {
      await writeFile(join(folder(), name), 'PK');
    }
    await writeFile(join(app.data, 'catalog.zip'), 'secret');
    await rm(join(folder(), 'outside.zip'), { force: true });
    await symlink('../catalog.zip', join(folder(), 'outside.zip'));
    const response = await request('GET', `/api/covers/${name}`);
    expect(statusAndJson(response)).toEqual([404, { error: 'not found' }]);
  });
});
