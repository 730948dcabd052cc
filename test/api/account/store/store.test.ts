import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
import { byBytes } from '../../../support/like.ts';

let app: TestApp;
let request: Requester;
let token: string;
const folder = (area = 'games') => join(app.data, 'store', area);
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const upload = (filename: string | null, bytes: Buffer | string = 'x', query = '') =>
  request('POST', `/api/store/upload${query}`, { token, form: { filename, bytes } });
const list = async (query = '') => (await request('GET', `/api/store${query}`)).json;
const stored = async (area?: string) => (await readdir(folder(area))).toSorted();

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  token = (await makePerson(app, 'editor')).token;
});
beforeEach(() => rm(join(app.data, 'store'), { recursive: true, force: true }));
afterAll(() => app.close());

describe('endpoint 16, GET /store', () => {
  test.each([
    ['', 'games'],
    ['?system=', 'games'],
    ['?system=games', 'games'],
    ['?system=videos', 'videos'],
    ['?system=Videos', 'Videos'],
    ['?system=any%20%22%C3%A9', 'any "é'],
    ['?system=..%2F..', '../..'],
    ['?system=videos&system=games', 'videos'],
    ['?system=a&system=videos', 'a'],
    ['?system=&system=videos', 'games'],
  ])(
    'echoes the system of `%s` as %j, and lists its area, with the folder and without it',
    async (query, system) => {
      expect(await list(query)).toEqual({ items: [], count: 0, system });
      await mkdir(folder('games'), { recursive: true });
      await mkdir(folder('videos'), { recursive: true });
      await writeFile(join(folder('games'), 'g'), '');
      await writeFile(join(folder('videos'), 'v'), '');
      const area = system === 'videos' ? 'videos' : 'games';
      const item = { name: area[0], filename: area[0], size: 0, system: area };
      const response = await list(query);
      expect(response).toMatchObject({ items: [item], count: 1, system });
      expect(Object.keys((response.items as object[])[0] ?? {})).toEqual(
        'name filename size mtime_ns system'.split(' '),
      );
    },
  );

  test('lists regular files, even hidden ones, and links to them, by code point', async () => {
    await mkdir(join(folder(), 'sub.zip'), { recursive: true });
    await writeFile(join(folder(), 'sub.zip', 'inner'), 'x');
    await writeFile(join(app.data, 'outside'), 'secret');
    const names = [
      'b',
      'B',
      'a.zip',
      'é',
      'z',
      '\u{1F600}',
      '\uFF5A',
      '.hidden',
      '100%.zip',
      ' x ',
    ];
    for (const name of names) await writeFile(join(folder(), name), name);
    await symlink('a.zip', join(folder(), 'inside-link'));
    await symlink('../../outside', join(folder(), 'outside-link'));
    await symlink('nowhere', join(folder(), 'dangling'));
    await symlink('sub.zip', join(folder(), 'folder-link'));
    const { items, count } = await list();
    const expected = [...names, 'inside-link'].toSorted(byBytes);
    expect((items as { name: string }[]).map((item) => item.name)).toEqual(expected);
    expect(count).toBe(expected.length);
    for (const name of ['outside-link', 'dangling', 'folder-link', 'sub.zip']) {
      const path = `/api/store/download/games/${name}`;
      expect(statusAndJson(await request('GET', path, { token }))).toEqual([
        404,
        { detail: 'not found' },
      ]);
      const removed = await request('DELETE', `/api/store/games/${name}`, { token });
      expect(statusAndJson(removed)).toEqual([404, { detail: 'not found' }]);
    }
  });

  test('returns every digit of mtime_ns, as a JSON integer beyond 2^53', async () => {
    await mkdir(folder(), { recursive: true });
    const times: bigint[] = [];
    for (let i = 0; i < 8; i += 1) {
      await writeFile(join(folder(), `${i}`), 'x');
      times.push((await stat(join(folder(), `${i}`), { bigint: true })).mtimeNs);
    }
    // Check that some of the times do not fit a double. Otherwise a rounded time would not be
    // noticed.
    expect(times.some((time) => BigInt(Number(time)) !== time)).toBe(true);
    const { text } = await request('GET', '/api/store');
    expect([...text.matchAll(/"mtime_ns":(\d+),/g)].map(([, time]) => time)).toEqual(
      times.map(String),
    );
  });
});

describe('endpoint 18, POST /store/upload', () => {
  test.each([
    ['', 'games'],
    ['?system=videos', 'videos'],
    ['?system=', 'games'],
    ['?system=other', 'games'],
    ['?system=videos&system=games', 'videos'],
  ])(
    'creates for the query `%s` the folder %s, and stores the archive there',
    async (query, area) => {
      const response = await upload('a b.zip', 'bytes', query);
      expect(statusAndJson(response)).toEqual([200, { ok: true, filename: 'a b.zip', size: 5 }]);
      expect(await stored(area)).toEqual(['a b.zip']);
      expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
    },
  );

  test.each([
    ['ファイナル (Japan).zip', 'ファイナル (Japan).zip'],
    ['e\u0301.zip', '\u00e9.zip'],
    ['../../evil.iso', '....evil.iso'],
    ['x/y\\\\z.zip', 'xyz.zip'],
    ['a\\"b.zip', 'ab.zip'],
    ['\u{1F600}smile.zip', 'smile.zip'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])(
    'stores the file name %j, also for the list, downloads and DELETE, as %j',
    async (supplied, name) => {
      const response = await upload(supplied, 'content');
      expect(statusAndJson(response)).toEqual([200, { ok: true, filename: name, size: 7 }]);
      expect(await stored()).toEqual([name]);
      expect((await list()).items).toMatchObject([{ name, filename: name, size: 7 }]);
      const path = encodeURIComponent(name);
      const got = await request('GET', `/api/store/download/games/${path}`, { token });
      expect([got.status, got.text]).toEqual([200, 'content']);
      const removed = await request('DELETE', `/api/store/games/${path}`, { token });
      expect(statusAndJson(removed)).toEqual([200, { ok: true }]);
      expect(await stored()).toEqual([]);
    },
  );

  test.each(['', '.', '..', '   ', '!!', '\u{1F600}', 'x'.repeat(256)])(
    'responds 400 `invalid filename` to the file name %j',
    async (filename) => {
      expect(statusAndJson(await upload(filename))).toEqual([400, { detail: 'invalid filename' }]);
      expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
      expect((await list()).count).toBe(0);
    },
  );

  test('supports `filename*` of RFC 8187', async () => {
    const part =
      '--b\r\nContent-Disposition: form-data; name="file"; ' +
      "filename*=UTF-8''%E3%82%A2%20b.zip\r\n\r\nx\r\n--b--\r\n";
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await request('POST', '/api/store/upload', { token, headers, body: part });
    expect(statusAndJson(response)).toEqual([200, { ok: true, filename: 'ア b.zip', size: 1 }]);
  });

  test('overwrites an archive with the first part `file`, and ignores other parts', async () => {
    await upload('a.zip', 'old and longer');
    const body = formBody(
      formPart({ field: 'system', bytes: 'videos', filename: null }),
      formPart({ field: 'file', bytes: 'new', filename: 'a.zip' }),
      formPart({ field: 'file', bytes: 'third', filename: 'b.zip' }),
    );
    const headers = { 'content-type': formType };
    const response = await request('POST', '/api/store/upload', { token, headers, body });
    expect(statusAndJson(response)).toEqual([200, { ok: true, filename: 'a.zip', size: 3 }]);
    expect(await stored()).toEqual(['a.zip']);
    const got = await request('GET', '/api/store/download/games/a.zip', { token });
    expect(got.text).toBe('new');
  });

  test('stores nothing without a `file` (422) or with a malformed body (400)', async () => {
    const post = (contentType: string | undefined, body: Buffer | string) => {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      return request('POST', '/api/store/upload', { token, headers, body });
    };
    const whole = formBody(formPart({ bytes: 'x', filename: 'a.zip' }));
    for (const [type, body] of [
      [undefined, ''],
      [undefined, whole],
      [formType, formBody()],
      [formType, formBody(formPart({ bytes: 'x', field: 'other' }))],
      [formType, formBody(formPart({ bytes: 'x', field: 'File' }))],
      [formType, formBody(formPart({ bytes: 'x', filename: null }))],
    ] as const) {
      const response = await post(type, body);
      expect([response.status, response.json.detail]).toEqual([
        422,
        expect.stringContaining('file'),
      ]);
    }
    for (const [type, body] of [
      ['multipart/form-data', whole],
      [formType, ''],
      [formType, 'garbage'],
      [formType, whole.subarray(0, -10)],
      [formType, whole.subarray(0, 40)],
    ] as const) {
      expect((await post(type, body)).status).toBe(400);
    }
    expect((await list()).count).toBe(0);
    expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
  });

  test('keeps the old version, and leaves nothing in tmp/, when an upload is aborted', async () => {
    await upload('cut.zip', 'old');
    await abortUpload(app, '/api/store/upload', token);
    const tmp = () => readdir(join(app.data, 'tmp'));
    await expect.poll(tmp).toEqual([]);
    const got = await request('GET', '/api/store/download/games/cut.zip', { token });
    expect(got.text).toBe('old');
  });

  test('responds 413 `archive too large` only beyond a configured limit', async () => {
    const small = await startTestApp({ 'max-archive-bytes': '10' });
    const post = (bytes: string) =>
      createRequester(small.url)('POST', '/api/store/upload', {
        token: small.adminToken,
        form: { bytes },
      });
    const responses = [
      statusAndJson(await post('x'.repeat(10))),
      statusAndJson(await post('x'.repeat(11))),
    ];
    const left = await readdir(join(small.data, 'tmp'));
    await small.close();
    expect(responses).toEqual([
      [200, { ok: true, filename: 'file.bin', size: 10 }],
      [413, { detail: 'archive too large' }],
    ]);
    expect(left).toEqual([]);
  });
});
