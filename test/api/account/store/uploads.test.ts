import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';
import { metadataOf, sha1, sha256, type TusClient, tusClient } from '../../../support/http/tus.ts';

let app: TestApp;
let request: Requester;
let token: string;
let tus: TusClient;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  token = (await makePerson(app, 'editor')).token;
  tus = tusClient(request, token);
});
afterAll(() => app.close());

const statusAndDetail = ({ status, json }: TestResponse) => [status, json.detail];
const bytes = randomBytes(100_000);
const games = (filename: string) => ({ filename, system: 'games' });
const folders = () => readdirSync(join(app.data, 'tmp/uploads'));
const stored = (name: string) => readFileSync(join(app.data, 'store/games', name));

describe('an upload', () => {
  test('has OPTIONS, for all uploads and for one, that return the version of tus', async () => {
    const { status, headers } = await request('OPTIONS', '/api/uploads', { token });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,checksum,expiration,termination',
      'tus-checksum-algorithm': 'sha1,sha256',
    });
    expect(headers).not.toHaveProperty('tus-max-size');
    const uploadUrl = await tus.createUpload(5, games('options.zip'));
    const one = await request('OPTIONS', uploadUrl, { token });
    expect([one.status, one.headers['tus-version']]).toEqual([204, '1.0.0']);
  });

  test('is created, sent in chunks, checked, and stored as an archive', async () => {
    const metadata = { filename: 'Häuser: eins.zip', system: 'games' };
    const begun = await tus.begin(bytes.length, metadata);
    const { location = '' } = begun.headers;
    expect([begun.status, begun.text]).toEqual([201, '']);
    expect(location).toMatch(/^\/api\/uploads\/\d+$/);
    expect(begun.headers['tus-resumable']).toBe('1.0.0');
    const days = (Date.parse(String(begun.headers['upload-expires'])) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);

    const head = await tus.head(location);
    expect([head.status, head.headers]).toMatchObject([
      200,
      {
        'upload-offset': '0',
        'upload-length': '100000',
        'upload-metadata': metadataOf(metadata),
        'cache-control': 'no-store',
      },
    ]);
    const [one, two] = [bytes.subarray(0, 60_000), bytes.subarray(60_000)];
    const first = await tus.send(location, 0, one);
    expect([first.status, first.headers['upload-offset'], first.text]).toEqual([204, '60000', '']);
    expect(first.headers['upload-expires']).toMatch(/ GMT$/);
    expect(await tus.get(location)).toEqual({
      id: Number(location.split('/').at(-1)),
      filename: 'Häuser eins.zip',
      system: 'games',
      size: 100_000,
      offset: 60_000,
      state: 'receiving',
      detail: null,
      expires_at: expect.stringMatching(/Z$/),
      chunks: [{ size: 60_000, sha256: sha256(one).toString('hex') }],
    });
    const checksum = { 'upload-checksum': `sha1 ${sha1(two).toString('base64')}` };
    expect((await tus.send(location, 60_000, two, checksum)).status).toBe(204);
    const done = await tus.waitUntilChecked(location);
    expect(done).toMatchObject({ state: 'done', offset: 100_000, detail: null });
    expect(stored('Häuser eins.zip').equals(bytes)).toBe(true);
    expect((await tus.head(location)).headers['upload-offset']).toBe('100000');
    const { items } = (await request('GET', '/api/store')).json;
    expect(items).toMatchObject([{ name: 'Häuser eins.zip', size: 100_000 }]);
  });

  test('is done without chunks for an empty file', async () => {
    const uploadUrl = await tus.createUpload(0, games('empty.zip'));
    expect(await tus.waitUntilChecked(uploadUrl)).toMatchObject({
      state: 'done',
      size: 0,
      chunks: [],
    });
    expect(stored('empty.zip')).toHaveLength(0);
  });

  test('is available to imports of an admin, but not of another user, if it is a DAT', async () => {
    const uploadUrl = await tus.createUpload(10, { filename: 'a.dat', system: 'dats' });
    await tus.send(uploadUrl, 0, bytes.subarray(0, 10));
    const { id, state } = await tus.waitUntilChecked(uploadUrl);
    expect(state).toBe('done');
    const admin = { userId: 1, seesAll: true };
    const { uploads } = app.catalog;
    const { signal } = new AbortController();
    const dat = await uploads.fetchDat(Number(id), admin, signal);
    expect(dat?.filename).toBe('a.dat');
    await dat?.drop(); // the file is stored for the next import
    expect(readFileSync(dat?.path ?? '').equals(bytes.subarray(0, 10))).toBe(true);
    const other = { userId: 999, seesAll: false };
    expect(await uploads.hasDat(Number(id), admin)).toBe(true);
    expect(await uploads.hasDat(Number(id), other)).toBe(false);
    expect(await uploads.fetchDat(Number(id), other, signal)).toBeNull();
    expect((await request('DELETE', uploadUrl, { token })).status).toBe(204);
    expect(existsSync(dat?.path ?? '')).toBe(false);
  });
});

describe('an upload that cannot begin', () => {
  test.each([
    ['no version', {}, { 'tus-resumable': undefined }, 412, 'unsupported version of tus'],
    ['an unsupported version', {}, { 'tus-resumable': '0.2.2' }, 412, 'unsupported version of tus'],
    ['no length', {}, { 'upload-length': undefined }, 422, /^Upload-Length: /],
    ['a negative length', {}, { 'upload-length': '-1' }, 422, /^Upload-Length: /],
    ['a length with an exponent', {}, { 'upload-length': '1e3' }, 422, /^Upload-Length: /],
    ['an unknown system', { system: 'music' }, {}, 422, 'system: must be games or videos or dats'],
    ['no system', { system: undefined }, {}, 422, 'system: must be games or videos or dats'],
    ['no name', { filename: undefined }, {}, 400, 'invalid filename'],
    ['a name of dots', { filename: '../..' }, {}, 400, 'invalid filename'],
    ['invalid metadata', {}, { 'upload-metadata': 'filename $$' }, 422, /^Upload-Metadata: /],
    ['too large a length', {}, { 'upload-length': 2 ** 52 }, 507, 'insufficient storage'],
  ])('is refused with %s', async (_what, metadata, headers, status, detail) => {
    const all = { ...games('refused.zip'), ...metadata };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    const sent = Object.fromEntries(
      Object.entries({
        'tus-resumable': '1.0.0',
        'upload-length': 5,
        'upload-metadata': metadataOf(Object.fromEntries(given) as Record<string, string>),
        ...headers,
      }).filter(([, value]) => value !== undefined),
    );
    const response = await request('POST', '/api/uploads', { token, headers: sent });
    expect(statusAndDetail(response)).toEqual([
      status,
      typeof detail === 'string' ? detail : expect.stringMatching(detail),
    ]);
    expect(response.headers['tus-resumable']).toBe('1.0.0');
    if (status === 412) expect(response.headers['tus-version']).toBe('1.0.0');
  });

  test('is refused if it is larger than an archive may be', async () => {
    const small = await startTestApp({ 'max-archive-bytes': '1000' });
    const requestSmall = createRequester(small.url);
    const client = tusClient(requestSmall, small.adminToken);
    expect(statusAndDetail(await client.begin(1001, games('a.zip')))).toEqual([
      413,
      'archive too large',
    ]);
    expect((await client.begin(1000, games('a.zip'))).status).toBe(201);
    const { headers } = await requestSmall('OPTIONS', '/api/uploads', { token: small.adminToken });
    expect(headers['tus-max-size']).toBe('1000');
    await small.close();
  });

  test('is refused if its user has 100 unfinished uploads, until these are deleted', async () => {
    const client = tusClient(request, (await makePerson(app, 'editor')).token);
    const addresses = await Promise.all(
      Array.from({ length: 100 }, (_, at) => client.createUpload(5, games(`${at}.zip`))),
    );
    expect(statusAndDetail(await client.begin(5, games('more.zip')))).toEqual([
      409,
      'too many uploads',
    ]);
    const drop = (uploadUrl: string) => request('DELETE', uploadUrl, { token: app.adminToken });
    await Promise.all(addresses.map(drop));
    expect((await client.begin(5, games('more.zip'))).status).toBe(201);
  });
});

describe('an upload with a taken name or a lost right', () => {
  test('is refused if an archive has its name, unless it replaces the archive', async () => {
    const first = await tus.createUpload(5, games('taken.zip'));
    await tus.send(first, 0, bytes.subarray(0, 5));
    await tus.waitUntilChecked(first);
    expect(statusAndDetail(await tus.begin(5, games('taken.zip')))).toEqual([
      409,
      'archive exists',
    ]);
    const again = await tus.createUpload(7, { ...games('taken.zip'), replace: '1' });
    await tus.send(again, 0, bytes.subarray(0, 7));
    expect(await tus.waitUntilChecked(again)).toMatchObject({ state: 'done' });
    expect(stored('taken.zip')).toHaveLength(7);
  });

  test('fails if its name is taken meanwhile, and its bytes are removed', async () => {
    const slow = await tus.createUpload(5, games('race.zip'));
    const fast = await tus.createUpload(6, games('race.zip'));
    await tus.send(fast, 0, bytes.subarray(0, 6));
    await tus.waitUntilChecked(fast);
    await tus.send(slow, 0, bytes.subarray(0, 4));
    const before = folders().length;
    await tus.send(slow, 4, bytes.subarray(4, 5));
    const failed = { state: 'failed', detail: 'archive exists' };
    expect(await tus.waitUntilChecked(slow)).toMatchObject(failed);
    await expect.poll(folders).toHaveLength(before - 1);
    expect(stored('race.zip')).toHaveLength(6);
    expect(statusAndDetail(await tus.send(slow, 5, Buffer.alloc(1)))).toEqual([
      409,
      'wrong offset',
    ]);
  });

  test('fails if its user is demoted, unless it was stored before', async () => {
    const { id, token: own } = await makePerson(app, 'editor');
    const client = tusClient(request, own);
    const uploadUrl = await client.createUpload(5, games('demoted.zip'));
    const sending = client.send(uploadUrl, 0, bytes.subarray(0, 5));
    const json = { role: 'user' };
    const demoting = request('PATCH', `/api/users/${id}`, { token: app.adminToken, json });
    const [{ status }] = await Promise.all([sending, demoting]);
    const byAdmin = tusClient(request, app.adminToken);
    // The demotion came before the chunk, before the archive was stored, or after both.
    if (status === 403) {
      expect(await byAdmin.get(uploadUrl)).toMatchObject({ state: 'receiving', offset: 0 });
    } else {
      const { state, detail } = await byAdmin.waitUntilChecked(uploadUrl);
      if (existsSync(join(app.data, 'store/games/demoted.zip'))) expect(state).toBe('done');
      else expect([status, state, detail]).toEqual([204, 'failed', 'forbidden']);
    }
  });
});

describe('a refused chunk', () => {
  let uploadUrl: string;
  beforeAll(async () => {
    uploadUrl = await tus.createUpload(100_000, games('chunks.zip'));
    expect((await tus.send(uploadUrl, 0, bytes.subarray(0, 1000))).status).toBe(204);
  });
  const chunk = bytes.subarray(1000, 2000);
  const base64 = (digest: Buffer) => digest.toString('base64');
  test.each([
    ['an earlier offset', 0, {}, 409, 'wrong offset'],
    ['an offset beyond the received bytes', 2000, {}, 409, 'wrong offset'],
    ['an empty offset', 1000, { 'upload-offset': '' }, 422, /^Upload-Offset: /],
    ['another content type', 1000, { 'content-type': 'text/plain' }, 415, 'unsupported media type'],
    ['a content encoding', 1000, { 'content-encoding': 'gzip' }, 415, 'unsupported media type'],
    ['an unknown version', 1000, { 'tus-resumable': '2.0.0' }, 412, 'unsupported version of tus'],
    [
      'a wrong SHA-256',
      1000,
      { 'upload-checksum': `sha256 ${base64(sha256(bytes))}` },
      460,
      'checksum mismatch',
    ],
    [
      'a wrong SHA-1',
      1000,
      { 'upload-checksum': `sha1 ${base64(sha1(bytes))}` },
      460,
      'checksum mismatch',
    ],
    ['an unknown checksum', 1000, { 'upload-checksum': 'md5 AAAA' }, 400, /^Upload-Checksum: /],
    ['too short a checksum', 1000, { 'upload-checksum': 'sha256 AAAA' }, 400, /^Upload-Checksum: /],
  ])('leaves the upload unchanged (reason: %s)', async (_what, offset, headers, status, detail) => {
    const response = await tus.send(uploadUrl, offset, chunk, headers);
    expect(statusAndDetail(response)).toEqual([
      status,
      typeof detail === 'string' ? detail : expect.stringMatching(detail),
    ]);
    expect((await tus.head(uploadUrl)).headers['upload-offset']).toBe('1000');
  });

  test('leaves the upload unchanged if it is longer than the rest, chunked or not', async () => {
    const small = await tus.createUpload(1500, games('small.zip'));
    for (const chunked of [false, true]) {
      const headers = {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': 0,
      };
      const body = bytes.subarray(0, 1501);
      const response = await request('PATCH', small, { token, headers, body, chunked });
      expect(statusAndDetail(response)).toEqual([413, 'body too large']);
    }
    expect((await tus.head(small)).headers['upload-offset']).toBe('0');
  });

  test('leaves the upload unchanged if it is longer than 64 MiB', async () => {
    const size = 64 * 1_048_576 + 1;
    const large = await tus.createUpload(size, games('large.zip'));
    const headers = { 'content-length': size };
    const response = await tus.send(large, 0, Buffer.alloc(1000), headers);
    expect(statusAndDetail(response)).toEqual([413, 'body too large']);
    expect((await tus.head(large)).headers['upload-offset']).toBe('0');
  });

  test('lets the next chunk continue the upload', async () => {
    expect((await tus.send(uploadUrl, 1000, bytes.subarray(1000, 50_000))).status).toBe(204);
    expect((await tus.send(uploadUrl, 50_000, bytes.subarray(50_000))).status).toBe(204);
    expect(await tus.waitUntilChecked(uploadUrl)).toMatchObject({ state: 'done' });
    expect(stored('chunks.zip').equals(bytes)).toBe(true);
  });
});

describe('a client that disconnects during a chunk', () => {
  test.each([
    ['after the bytes that arrived if the chunk has no checksum', '', 50_000],
    [
      'from its start if the chunk has a checksum',
      `Upload-Checksum: sha256 ${sha256(bytes).toString('base64')}\r\n`,
      0,
    ],
  ])('can resume the upload %s', async (what, header, storedBytes) => {
    const name = `left ${what.length}.zip`;
    const uploadUrl = await tus.createUpload(bytes.length, games(name));
    await disconnectDuringChunk(uploadUrl, header);
    const offset = async () => Number((await tus.head(uploadUrl)).headers['upload-offset']);
    await expect.poll(offset).toBe(storedBytes);
    expect((await tus.send(uploadUrl, storedBytes, bytes.subarray(storedBytes))).status).toBe(204);
    expect(await tus.waitUntilChecked(uploadUrl)).toMatchObject({ state: 'done' });
    expect(stored(name).equals(bytes)).toBe(true);
  });

  /** Announces all bytes, sends half of them, and disconnects. */
  async function disconnectDuringChunk(uploadUrl: string, header: string): Promise<void> {
    const { hostname, port } = new URL(app.url);
    const received = once(app.app.server, 'request');
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    socket.write(
      `PATCH ${uploadUrl} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nTus-Resumable: 1.0.0\r\n` +
        `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n${header}` +
        `Content-Length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, 50_000));
    const [raw] = (await received) as [IncomingMessage];
    // Wait until the server has read all sent bytes.
    const unread = () => [raw.socket.bytesRead - socket.bytesWritten, raw.readableLength];
    await expect.poll(unread).toEqual([0, 0]);
    socket.destroy();
    await closed;
  }
});

describe('the upload API', () => {
  test('accepts one of several concurrent chunks, and mixes none with another', async () => {
    const uploadUrl = await tus.createUpload(2_000_000, games('twice.zip'));
    const parts = ['a', 'b', 'c'].map((letter) => Buffer.alloc(1_000_000, letter));
    const responses = await Promise.all(parts.map((part) => tus.send(uploadUrl, 0, part)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    const won = parts[responses.findIndex(({ status }) => status === 204)] ?? Buffer.alloc(0);
    expect((await tus.send(uploadUrl, 1_000_000, won)).status).toBe(204);
    await tus.waitUntilChecked(uploadUrl);
    expect(stored('twice.zip').equals(Buffer.concat([won, won]))).toBe(true);
  });

  describe('the owner of an upload', () => {
    test('sees only their own uploads, the newest first, while an admin sees all', async () => {
      const [one, two] = [await makePerson(app, 'editor'), await makePerson(app, 'editor')];
      const [own, other] = [tusClient(request, one.token), tusClient(request, two.token)];
      const first = await own.createUpload(5, games('first.zip'));
      const second = await own.createUpload(5, games('second.zip'));
      expect(statusAndDetail(await other.send(first, 0, Buffer.alloc(5)))).toEqual([
        404,
        'not found',
      ]);
      for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) {
        expect((await request(method, first, { token: two.token })).status).toBe(404);
      }
      const names = async (who: string, query = '') => {
        const { items } = (await request('GET', `/api/uploads${query}`, { token: who })).json;
        return (items as { filename: string }[]).map(({ filename }) => filename);
      };
      expect(await names(one.token)).toEqual(['second.zip', 'first.zip']);
      expect(await names(one.token, '?limit=1&offset=1')).toEqual(['first.zip']);
      expect(await names(two.token)).toEqual([]);
      expect(await names(app.adminToken)).toEqual(
        expect.arrayContaining(['second.zip', 'first.zip']),
      );
      expect(await names(app.adminToken, '?own=1')).toEqual([]);
      await own.send(second, 0, Buffer.alloc(5));
      await own.waitUntilChecked(second);
      expect(await names(one.token, '?state=receiving')).toEqual(['first.zip']);
      expect(await names(one.token, '?state=done')).toEqual(['second.zip']);
      expect((await request('GET', '/api/uploads?state=x', { token: one.token })).status).toBe(422);
      expect((await request('DELETE', first, { token: app.adminToken })).status).toBe(204);
      expect((await request('DELETE', first, { token: one.token })).status).toBe(404);
      expect((await own.head(first)).status).toBe(404);
    });
  });

  test('responds to preflights of configured origins with the headers of tus', async () => {
    const shared = await startTestApp({ 'cors-origins': 'https://example.org' });
    const requestShared = createRequester(shared.url);
    const origin = 'https://example.org';
    const preflight = { origin, 'access-control-request-method': 'PATCH' };
    const { status, headers } = await requestShared('OPTIONS', '/api/uploads/1', {
      headers: preflight,
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toContain('upload-offset');
    const { adminToken } = shared;
    const own = await requestShared('OPTIONS', '/api/uploads', {
      token: adminToken,
      headers: { origin },
    });
    expect([own.status, own.headers['tus-version']]).toEqual([204, '1.0.0']);
    expect((await requestShared('OPTIONS', '/api/releases')).status).toBe(405);
    await shared.close();
  });
});
