import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';

const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const refusal = [401, { error: 'unauthorized' }];
const open: MinimalApp[] = [];

/** Starts a server with this API token and one archive, `a.zip`. */
async function serverWith(token?: string): Promise<Requester> {
  const app = await startMinimalApp({
    env: token === undefined ? {} : { CATALOG_API_TOKEN: token },
  });
  open.push(app);
  await mkdir(join(app.data, 'store', 'games'), { recursive: true });
  await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'archive');
  return createRequester(app.url);
}
const withHeader = (request: Requester, authorization?: string, path = '/api/store') =>
  request('GET', path, authorization === undefined ? {} : { headers: { authorization } });

afterAll(() => Promise.all(open.map((app) => app.close())));

describe.each([
  ['unset', undefined],
  ['empty', ''],
  ['only whitespace', ' \t\n '],
])('CATALOG_API_TOKEN that is %s', (_name, token) => {
  test('leaves the store open, whatever the client sends', async () => {
    const request = await serverWith(token);
    for (const sent of [undefined, '', 'Bearer', 'Bearer x', 'x']) {
      expect((await withHeader(request, sent)).status).toBe(200);
      expect((await withHeader(request, sent, '/api/store/download/a.zip')).text).toBe('archive');
    }
  });
});

describe('CATALOG_API_TOKEN that is set', () => {
  let request: Requester;
  beforeAll(async () => {
    request = await serverWith('  s3cret token\n');
  });

  test.each(['Bearer s3cret token', 's3cret token', '  Bearer s3cret token ', '\ts3cret token\t'])(
    'makes the store accept the Authorization header %j',
    async (sent) => {
      expect(statusAndJson(await withHeader(request, sent))).toMatchObject([200, { count: 1 }]);
      expect((await withHeader(request, sent, '/api/store/download/a.zip')).text).toBe('archive');
    },
  );

  test.each([
    undefined,
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'bearer s3cret token',
    'BEARER s3cret token',
    'Bearer  s3cret token',
    'Bearer\ts3cret token',
    'Bearers3cret token',
    'Bearer Bearer s3cret token',
    'Bearer s3cret',
    's3cret',
    's3cret token2',
    'S3cret token',
    's3cret  token',
    '"s3cret token"',
    'Basic s3cret token',
    'Token s3cret token',
    'Bearer s3cret token, Bearer s3cret token',
    'x'.repeat(10_000),
  ])('makes the store refuse the Authorization header %j', async (sent) => {
    for (const path of ['/api/store', '/api/store/download/a.zip', '/api/store/download/none']) {
      const response = await withHeader(request, sent, path);
      expect(statusAndJson(response)).toEqual(refusal);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.text).toBe(JSON.stringify(response.json, null, 2));
    }
  });

  test('is not accepted in the query or as a cookie', async () => {
    expect(statusAndJson(await request('GET', '/api/store?token=s3cret%20token'))).toEqual(refusal);
    expect(statusAndJson(await request('GET', '/api/store', { cookie: 's3cret token' }))).toEqual(
      refusal,
    );
  });

  test('is checked after the path and method, before the file, and also for HEAD', async () => {
    expect((await request('GET', '/api/store/none')).status).toBe(404);
    expect((await request('POST', '/api/store')).status).toBe(405);
    expect((await withHeader(request, 's3cret token', '/api/store/download/none')).status).toBe(
      404,
    );
    expect((await request('HEAD', '/api/store/download/a.zip')).status).toBe(401);
  });

  test.each([
    ['/', 200],
    ['/api/summary', 200],
    ['/api/releases', 200],
    ['/api/releases/1', 404],
    ['/api/library', 200],
    ['/api/cover/1', 404],
    ['/api/covers/none.zip', 404],
  ])('is not required for %s', async (path, status) => {
    expect((await request('GET', path)).status).toBe(status);
    expect((await withHeader(request, 'Bearer wrong', path)).status).toBe(status);
  });
});

describe('the minimal API', () => {
  test('accepts a token with characters beyond ASCII in UTF-8 and in Latin-1', async () => {
    const request = await serverWith('pässwörà');
    const utf8 = Buffer.from('Bearer pässwörà').toString('latin1'); // ends with a Latin-1 blank
    for (const sent of [utf8, 'Bearer pässwörà', 'pässwörà']) {
      expect((await withHeader(request, sent)).status).toBe(200);
    }
    expect((await withHeader(request, 'Bearer passwora')).status).toBe(401);
  });
});
