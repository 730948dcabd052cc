import { hash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { abortUpload } from '../../../support/http/abort-upload.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  formBody,
  formPart,
  formType,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

const maxBytes = 20 * 1_048_576;
const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex');
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const ok = (id: number) => [200, { ok: true, url: `/api/cover/${id}` }];
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

let app: TestApp;
let request: Requester;
let token: string;
let id = 0;
const files = async () => (await readdir(join(app.data, 'covers'))).toSorted();
const put = (bytes: Buffer | string, of = id, chunked = false) =>
  request('POST', `/api/cover/${of}`, { token, form: { bytes }, chunked });
const get = (headers = {}) => request('GET', `/api/cover/${id}`, { headers });

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  token = (await makePerson(app, 'editor')).token;
  await importGames(app, ['One', 'Two']);
  const { items } = (await request('GET', '/api/releases?limit=1')).json;
  id = (items as { id: number }[])[0]?.id ?? 0;
});
afterAll(() => app.close());

describe('endpoint 14, POST /cover/{release_id}', () => {
  test.each([
    ['PNG', png, 'png', 'image/png'],
    ['JPEG', jpeg, 'jpg', 'image/jpeg'],
    ['WebP', webp, 'webp', 'image/webp'],
    ['a JPEG signature alone', jpeg.subarray(0, 3), 'jpg', 'image/jpeg'],
    ['half a JPEG signature', jpeg.subarray(0, 2), 'png', 'image/png'],
    ['RIFF without WEBP', Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'png', 'image/png'],
    ['WEBP without RIFF', Buffer.from('RIFX\0\0\0\0WEBPVP8 '), 'png', 'image/png'],
    ['a cut RIFF', webp.subarray(0, 11), 'png', 'image/png'],
    ['GIF', Buffer.from('GIF89a'), 'png', 'image/png'],
    ['HTML', Buffer.from('<script>alert(1)</script>'), 'png', 'image/png'],
    ['an empty file', Buffer.alloc(0), 'png', 'image/png'],
  ])(
    'stores "%s" as the only cover, and serves it with its type',
    async (_what, bytes, end, type) => {
      expect(statusAndJson(await put(bytes))).toEqual(ok(id));
      expect(await files()).toEqual([`${id}.${end}`]);
      const response = await get();
      expect([response.status, response.headers['content-type']]).toEqual([200, type]);
      expect(response.body.equals(bytes)).toBe(true);
    },
  );

  test.each([false, true])(
    'accepts exactly 20 MiB, and refuses one byte more (chunked: %s)',
    async (chunked) => {
      const bytes = Buffer.alloc(maxBytes, 7);
      expect(statusAndJson(await put(bytes, id, chunked))).toEqual(ok(id));
      const more = await put(Buffer.alloc(maxBytes + 1, 8), id, chunked);
      expect(statusAndJson(more)).toEqual([400, { detail: 'image too large' }]);
      expect((await stat(join(app.data, 'covers', `${id}.png`))).size).toBe(maxBytes);
      expect((await get()).body.equals(bytes)).toBe(true);
      expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
    },
  );

  test('responds 404 `not found` for an unknown release before it checks the body', async () => {
    const unknown = [404, { detail: 'not found' }];
    expect(statusAndJson(await put(png, 999_999))).toEqual(unknown);
    const path = '/api/cover/999999';
    expect(statusAndJson(await request('POST', path, { token }))).toEqual(unknown);
    const headers = { 'content-type': 'multipart/form-data' };
    expect(statusAndJson(await request('POST', path, { token, headers, body: 'x' }))).toEqual(
      unknown,
    );
    expect(statusAndJson(await put(Buffer.alloc(maxBytes + 1), 999_999))).toEqual(unknown);
  });

  test('uses the first part named `file`', async () => {
    const body = formBody(
      formPart({ field: 'other', bytes: webp }),
      formPart({ field: 'file', bytes: jpeg, filename: '../../evil.png' }),
      formPart({ field: 'file', bytes: png }),
    );
    const headers = { 'content-type': formType };
    const response = await request('POST', `/api/cover/${id}`, { token, headers, body });
    expect(statusAndJson(response)).toEqual(ok(id));
    expect((await get()).body.equals(jpeg)).toBe(true);
  });

  test('keeps the old cover, and leaves nothing in tmp/, when an upload is aborted', async () => {
    await put(jpeg);
    await abortUpload(app, `/api/cover/${id}`, token);
    const tmp = () => readdir(join(app.data, 'tmp'));
    await expect.poll(tmp).toEqual([]);
    expect(await files()).toEqual([`${id}.jpg`]);
  });
});

describe('endpoint 13, GET /cover/{release_id}', () => {
  test('sends nosniff, a CSP that lets nothing run, validators and one range', async () => {
    await put('<svg onload="alert(1)">');
    const response = await get();
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox(;|$)/),
      'content-length': '23',
      'accept-ranges': 'bytes',
    });
    expect(response.headers['content-security-policy']).not.toMatch(/allow-/);
    expect(response.headers['content-disposition']).toBeUndefined();
    const { etag = '', 'last-modified': date = '' } = response.headers;
    expect(etag).toBe(`"${hash('sha256', '<svg onload="alert(1)">')}"`);
    for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': date }]) {
      const again = await get(known);
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    const part = await get({ range: 'bytes=1-3' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'svg',
      'bytes 1-3/23',
    ]);
    const beyond = await get({ range: 'bytes=23-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */23']);
    await put('<svg onload="alert(2)">');
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
  });

  test('distinguishes an unknown release (`not found`) from one without a cover', async () => {
    await request('DELETE', `/api/cover/${id}`, { token });
    expect(statusAndJson(await get())).toEqual([404, { detail: 'no cover available' }]);
    await writeFile(join(app.data, 'covers', '999999.png'), png);
    const unknown = await request('GET', '/api/cover/999999');
    expect(statusAndJson(unknown)).toEqual([404, { detail: 'not found' }]);
    await rm(join(app.data, 'covers', '999999.png'));
  });

  test('serves the newest manually added file, by its extension', async () => {
    const addCover = async (end: string, seconds: number) => {
      const path = join(app.data, 'covers', `${id}.${end}`);
      await writeFile(path, end);
      await utimes(path, seconds, seconds);
    };
    await addCover('webp', 2_000);
    await addCover('png', 1_000);
    expect((await get()).headers['content-type']).toBe('image/webp');
    await addCover('jpg', 3_000);
    const newest = await get();
    expect([newest.text, newest.headers['content-type']]).toEqual(['jpg', 'image/jpeg']);
    await addCover('png', 4_000);
    expect((await get()).text).toBe('png');
    await put(webp);
    expect(await files()).toEqual([`${id}.webp`]);
  });

  test('ignores folders, and files that are not named like a cover', async () => {
    await request('DELETE', `/api/cover/${id}`, { token });
    await mkdir(join(app.data, 'covers', `${id}.png`));
    for (const name of [`${id}.gif`, `${id}.jpeg`, `${id}`, `${id}.PNG`]) {
      await writeFile(join(app.data, 'covers', name), png);
    }
    expect((await get()).json).toEqual({ detail: 'no cover available' });
    await rm(join(app.data, 'covers'), { recursive: true });
    expect((await get()).json).toEqual({ detail: 'no cover available' });
    expect(statusAndJson(await put(png))).toEqual(ok(id));
  });

  const race = 'serves every reader one whole cover while one format replaces another';
  test(race, () => expectWhole(15));
  test(`${race}, 150 times`, { tags: ['full'] }, () => expectWhole(150));

  async function expectWhole(changes: number): Promise<void> {
    const versions = [png, jpeg, webp].map((head) => Buffer.concat([head, Buffer.alloc(50_000)]));
    await put(versions[0] ?? '');
    let isOver = false;
    const responses: string[] = [];
    async function read(): Promise<void> {
      while (!isOver) {
        const { status, text, body } = await get();
        const isWhole = versions.some((version) => version.equals(body));
        if (!isWhole) responses.push(`${status} ${text.slice(0, 50)}`);
      }
    }
    // Open covers without HTTP as well, because that allows many more reads per second.
    async function open(): Promise<void> {
      while (!isOver) {
        await app.catalog.covers.open(id).then(
          ({ file }) => file.close(),
          (error: Error) => responses.push(error.message),
        );
      }
    }
    const readers = [read(), read(), ...Array.from({ length: 8 }, open)];
    for (let i = 1; i <= changes; i += 1) await put(versions[i % 3] ?? '');
    isOver = true;
    await Promise.all(readers);
    expect(responses).toEqual([]);
    const both = versions.flatMap((version) => Array.from({ length: 10 }, () => put(version)));
    await Promise.all(both);
    expect(await files()).toHaveLength(1);
  }
});

describe('endpoint 15, DELETE /cover/{release_id}', () => {
  test('responds 200 {"ok": true} even without a cover, and removes every format', async () => {
    await put(png);
    await writeFile(join(app.data, 'covers', `${id}.webp`), webp);
    for (let i = 0; i < 2; i += 1) {
      const response = await request('DELETE', `/api/cover/${id}`, { token });
      expect(statusAndJson(response)).toEqual([200, { ok: true }]);
      expect(await files()).toEqual([]);
    }
  });

  test('responds 404 `not found` if the release is unknown', async () => {
    const response = await request('DELETE', '/api/cover/999999', { token });
    expect(statusAndJson(response)).toEqual([404, { detail: 'not found' }]);
  });
});
