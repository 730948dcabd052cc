import { hash } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  formBody,
  formPart,
  formType,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let editor: string;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const missing = [404, { detail: 'not found' }];
const get = (name: string, headers = {}, system = 'games', method = 'GET') =>
  request(method, `/api/store/download/${system}/${name}`, { token: editor, headers });
const addFile = (name: string, bytes: string | Buffer, area = 'games') =>
  writeFile(join(app.data, 'store', area, name), bytes);
const downloads = async () =>
  Number((await request('GET', '/api/stats', { token: app.adminToken })).json.downloads);

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  editor = (await makePerson(app, 'editor')).token;
  await mkdir(join(app.data, 'store', 'games'), { recursive: true });
  await mkdir(join(app.data, 'store', 'videos'), { recursive: true });
  await addFile('ten', '0123456789');
  await addFile('ten', 'video', 'videos');
  await writeFile(join(app.data, 'store', 'secret'), 'secret');
});
afterAll(() => app.close());

describe('endpoint 17, GET /store/download/{system}/{name}', () => {
  test('sends the bytes as application/octet-stream, under their own name', async () => {
    const response = await get('ten');
    expect([response.status, response.text]).toEqual([200, '0123456789']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="ten"',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^".+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
    expect((await get('ten', {}, 'videos')).text).toBe('video');
    expect((await get('ten', {}, 'anything')).text).toBe('0123456789');
  });

  test.each([
    ['a b.zip', 'attachment; filename="a b.zip"'],
    ['a"b\\.zip'.replace('\\', ''), `attachment; filename="a\\"b.zip"; filename*=UTF-8''a%22b.zip`],
    ['é.zip', `attachment; filename="_.zip"; filename*=UTF-8''%C3%A9.zip`],
    [
      'ア\u{1F600}.zip',
      `attachment; filename="__.zip"; filename*=UTF-8''%E3%82%A2%F0%9F%98%80.zip`,
    ],
    ['100%.zip', `attachment; filename="100%.zip"; filename*=UTF-8''100%25.zip`],
    ['a%2Fb.zip', `attachment; filename="a%2Fb.zip"; filename*=UTF-8''a%252Fb.zip`],
    ['a%252Fb.zip', `attachment; filename="a%252Fb.zip"; filename*=UTF-8''a%25252Fb.zip`],
    ['a;b,c.zip', 'attachment; filename="a;b,c.zip"'],
    ["it's.zip", `attachment; filename="it's.zip"`],
    [
      'a\r\nX-Evil: 1',
      `attachment; filename="a__X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`,
    ],
    ['a?b#c+d&e.zip', 'attachment; filename="a?b#c+d&e.zip"'],
    ['..zip', 'attachment; filename="..zip"'],
    ['...', 'attachment; filename="..."'],
  ])('sends a file named %j under that name', async (name, disposition) => {
    await addFile(name, name);
    const response = await get(encodeURIComponent(name));
    expect([response.status, response.text]).toEqual([200, name]);
    expect(response.headers['content-disposition']).toBe(disposition);
    expect(response.headers['x-evil']).toBeUndefined();
  });

  test.each([
    ['ア', 85],
    ['\u{1F600}', 63],
    ['x', 255],
    ['%', 255],
  ])('supports a name of 255 bytes: %s %i times', async (char, times) => {
    const name = char.repeat(times);
    await addFile(name, 'long');
    expect((await get(encodeURIComponent(name))).text).toBe('long');
    const path = `/api/store/games/${encodeURIComponent(name)}`;
    expect((await request('DELETE', path, { token: editor })).status).toBe(200);
    expect(statusAndJson(await get(encodeURIComponent(name)))).toEqual(missing);
  });

  test.each([
    'none',
    'TEN',
    'ten%20',
    '.',
    '..',
    '%2e',
    '%2e%2e',
    '%2E%2E',
    '..%2Fsecret',
    '..%2fsecret',
    '..%5Csecret',
    '%2e%2e%2fsecret',
    '..%252Fsecret',
    '%00',
    'ten%00',
    '%2F',
    'x%2F..%2Ften',
  ])('responds 404 `not found` to %s by GET, HEAD and DELETE', async (name) => {
    expect(statusAndJson(await get(name))).toEqual(missing);
    expect((await get(name, {}, 'games', 'HEAD')).status).toBe(404);
    const removed = await request('DELETE', `/api/store/games/${name}`, { token: editor });
    expect(statusAndJson(removed)).toEqual(missing);
    const anonymous = await request('GET', `/api/store/download/games/${name}`);
    expect(statusAndJson(anonymous)).toEqual([401, { detail: 'not authenticated' }]);
  });

  test.each([
    ['x', 256],
    ['x', 5000],
    ['%E3%82%A2', 86],
    ['%F0%9F%98%80', 400],
  ])(
    'responds 404 `not found` to %s repeated %i times, and 401 to an anonymous user',
    async (char, times) => {
      const name = char.repeat(times);
      expect(statusAndJson(await get(name))).toEqual(missing);
      expect((await request('GET', `/api/store/download/games/${name}`)).status).toBe(401);
      const removed = await request('DELETE', `/api/store/games/${name}`, { token: editor });
      expect(statusAndJson(removed)).toEqual(missing);
    },
  );

  test.each(['%', '%zz', '%c0%ae', '%ff', 'a%', '%E3%82'])(
    'responds 400 or 404 to a malformed `%%` in %s',
    async (name) => {
      for (const method of ['GET', 'HEAD']) {
        expect([400, 404]).toContain((await get(name, {}, 'games', method)).status);
      }
      const response = await get(name);
      expect(Object.keys(response.json)).toEqual(['detail']);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  test('responds 404 to dot segments and extra slashes in the raw path', async () => {
    for (const path of [
      '/api/store/download/games/../games/ten',
      '/api/store/download/games/./ten',
      '/api/store/download/games//ten',
      '/api/store/download/../download/games/ten',
      '/api/store/download/games/ten/',
      '/api/store/download/games/',
      '/api//store',
      '/./api/store',
    ]) {
      expect([path, (await request('GET', path, { token: editor })).status]).toEqual([path, 404]);
    }
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
  ])('responds to Range `%s` with %i', async (range, status, text, contentRange) => {
    const response = await get('ten', { range });
    expect([response.status, response.text]).toEqual([status, text]);
    expect(response.headers['content-range']).toBe(contentRange);
    expect(response.headers['content-length']).toBe(String(text.length));
  });

  test('sends 416 beyond the end, and the whole file if If-Range does not match', async () => {
    const beyond = await get('ten', { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(Object.keys(beyond.json)).toEqual(['detail']);
    await addFile('empty', '');
    expect((await get('empty', { range: 'bytes=0-' })).status).toBe(416);
    expect((await get('empty')).status).toBe(200);
    const other = await get('ten', { range: 'bytes=0-3', 'if-range': '"other"' });
    expect([other.status, other.text]).toEqual([200, '0123456789']);
    const etag = other.headers.etag ?? '';
    expect((await get('ten', { range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
  });
});

describe('the download of an archive', () => {
  test('uses the recorded SHA-256 as ETag, and still accepts that of size and time', async () => {
    const sha256 = hash('sha256', 'stored');
    const stored = await request('POST', '/api/store/upload', {
      token: editor,
      headers: { 'content-type': formType },
      body: formBody(formPart({ bytes: 'stored', filename: 'stored.zip' })),
    });
    expect(stored.status).toBe(200);
    const response = await get('stored.zip');
    expect(response.headers.etag).toBe(`"${sha256}"`);
    const { size, mtimeNs } = await stat(join(app.data, 'store/games/stored.zip'), {
      bigint: true,
    });
    const former = `"${size.toString(16)}-${mtimeNs.toString(16)}"`;
    for (const tag of [`"${sha256}"`, former]) {
      const known = await get('stored.zip', { 'if-none-match': tag });
      expect([known.status, known.headers.etag]).toEqual([304, `"${sha256}"`]);
      const part = await get('stored.zip', { range: 'bytes=1-2', 'if-range': tag });
      expect([part.status, part.text, part.headers.etag]).toEqual([206, 'to', `"${sha256}"`]);
    }
    await addFile('stored.zip', 'changed by hand');
    const changed = await get('stored.zip', { 'if-none-match': `"${sha256}"` });
    expect([changed.status, changed.text]).toEqual([200, 'changed by hand']);
  });

  test('counts once per 200 or 206 from byte 0, and for no other response', async () => {
    const counted = async (request: () => Promise<TestResponse>) => {
      const before = await downloads();
      await request();
      return (await downloads()) - before;
    };
    const { etag = '' } = (await get('ten')).headers;
    expect(await counted(() => get('ten'))).toBe(1);
    expect(await counted(() => get('empty'))).toBe(1);
    expect(await counted(() => get('ten', { range: 'bytes=0-0' }))).toBe(1);
    expect(await counted(() => get('ten', { range: 'bytes=-10' }))).toBe(1);
    expect(await counted(() => get('ten', { range: 'bytes=1-' }))).toBe(0);
    expect(await counted(() => get('ten', { range: 'bytes=10-' }))).toBe(0);
    expect(await counted(() => get('ten', { 'if-none-match': etag }))).toBe(0);
    expect(await counted(() => get('ten', {}, 'games', 'HEAD'))).toBe(0);
    expect(await counted(() => get('none'))).toBe(0);
    expect(await counted(() => request('GET', '/api/store/download/games/ten'))).toBe(0);
  });

  const race = 'serves every reader one whole version while an archive is overwritten';
  test(race, () => expectWhole(8));
  test(`${race}, 50 times`, { tags: ['full'] }, () => expectWhole(50));
});

async function expectWhole(changes: number): Promise<void> {
  const version = (i: number) => Buffer.alloc(300_000 + i, 65 + (i % 26));
  const put = (i: number) => {
    const form = { filename: 'busy.bin', bytes: version(i) };
    return request('POST', '/api/store/upload', { token: editor, form });
  };
  await put(0);
  let isOver = false;
  const reads = [0, 0, 0, 0];
  const read = async (_: number, reader: number) => {
    for (; !isOver; reads[reader] = (reads[reader] ?? 0) + 1) {
      const { status, body } = await get('busy.bin');
      expect([status, body.equals(version(body.length - 300_000))]).toEqual([200, true]);
    }
  };
  const readers = Promise.all(reads.map(read));
  for (let i = 1; i <= changes || reads.some((count) => count <= 5); i += 1) {
    expect((await put(i)).status).toBe(200);
  }
  isOver = true;
  await readers;
}
