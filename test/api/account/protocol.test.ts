import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { makePerson, makeUser } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import {
  createRequester,
  formType,
  type Requester,
  type RequestOptions,
  type TestResponse,
} from '../../support/http/requester.ts';

const mebibyte = 1_048_576;
const isJson = { 'content-type': 'application/json' };
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

let app: TestApp;
let request: Requester;
let editor: string;
let id = 0;

beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
  editor = (await makePerson(app, 'editor')).token;
  await importGames(app, ['One']);
  const { items } = (await request('GET', '/api/releases')).json;
  id = (items as { id: number }[])[0]?.id ?? 0;
});
afterAll(() => app.close());

describe('an unknown path', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/users/1/nothing',
    '/api/auth',
    '/api/store/',
    '/API/store',
    '/api/Store',
    '/api/auth/me/x',
    '/api/cover',
    '/api/store/download',
    '/api/login',
    '/api/auth/login/',
  ])('is refused with 404 `not found` for every caller and method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'TRACE']) {
      for (const token of [undefined, 'bad', app.adminToken]) {
        const response = await request(method, path, { token });
        expect([method, ...statusAndJson(response)]).toEqual([
          method,
          404,
          { detail: 'not found' },
        ]);
      }
    }
    const head = await request('HEAD', path);
    expect([head.status, head.body.length]).toEqual([404, 0]);
  });
});

describe('the order of checks (404/405, 401, 403, 415/413, 422, 404, 400/422, 409)', () => {
  const big = '"'.padEnd(mebibyte + 1, 'x');
  const wrong = { body: 'x', headers: { 'content-type': 'text/plain' } };
  const tooBig = { body: big, headers: isJson };
  const gzip = { body: '{}', headers: { ...isJson, 'content-encoding': 'gzip' } };
  const notJson = { body: '{', headers: isJson };
  const wrongField = { json: { name: 5, password: 5, role: 'god' } };
  test.each<[string, string, 'anonymous' | 'editor' | 'admin', number, RequestOptions]>([
    ['PUT', '/api/users/abc', 'anonymous', 405, tooBig],
    ['PATCH', '/api/users/abc', 'anonymous', 401, wrong],
    ['PATCH', '/api/users/abc', 'anonymous', 401, tooBig],
    ['PATCH', '/api/users/abc', 'editor', 403, wrong],
    ['PATCH', '/api/users/abc', 'editor', 403, tooBig],
    ['PATCH', '/api/users/abc', 'admin', 415, wrong],
    ['PATCH', '/api/users/abc', 'admin', 415, gzip],
    ['PATCH', '/api/users/abc', 'admin', 413, tooBig],
    ['PATCH', '/api/users/abc', 'admin', 422, notJson],
    ['PATCH', '/api/users/999999', 'admin', 404, notJson],
    ['PATCH', '/api/users/999999', 'admin', 404, wrongField],
    ['PATCH', '/api/users/1', 'admin', 400, notJson],
    ['PATCH', '/api/users/1', 'admin', 422, wrongField],
    ['PATCH', '/api/releases/abc', 'anonymous', 401, notJson],
    ['PATCH', '/api/releases/abc', 'editor', 415, wrong],
    ['PATCH', '/api/releases/abc', 'editor', 422, notJson],
    ['PATCH', '/api/releases/999999', 'editor', 404, notJson],
    ['PATCH', '/api/releases/1', 'editor', 400, notJson],
    ['PATCH', '/api/releases/1', 'editor', 422, wrongField],
    ['POST', '/api/cover/abc', 'anonymous', 401, wrong],
    ['POST', '/api/cover/abc', 'editor', 415, wrong],
    ['POST', '/api/cover/abc', 'editor', 422, { form: { bytes: 'x' } }],
    ['POST', '/api/cover/999999', 'editor', 404, { form: { bytes: 'x', field: 'other' } }],
    ['POST', '/api/cover/1', 'editor', 422, { form: { bytes: 'x', field: 'other' } }],
    ['POST', '/api/store/upload', 'anonymous', 401, wrong],
    ['POST', '/api/store/upload', 'editor', 415, wrong],
    ['POST', '/api/store/upload', 'editor', 400, { form: { bytes: 'x', filename: '..' } }],
    ['DELETE', '/api/users/abc', 'editor', 403, {}],
    ['DELETE', '/api/users/abc', 'admin', 422, {}],
    ['DELETE', '/api/users/1/tokens/abc', 'admin', 422, {}],
    ['DELETE', '/api/auth/tokens/abc', 'editor', 422, {}],
    ['DELETE', '/api/cover/abc', 'editor', 422, {}],
    ['GET', '/api/users/abc/tokens', 'anonymous', 401, {}],
    ['POST', '/api/users', 'admin', 400, { json: { username: 'admin', password: 'x', role: 'y' } }],
    ['POST', '/api/users', 'admin', 409, { json: { username: 'admin', password: 'x' } }],
  ])('gives %s %s by %s the status %i (%#)', async (method, path, who, status, how) => {
    const token = { anonymous: undefined, editor, admin: app.adminToken }[who];
    const response = await request(method, path.replace('/1', `/${id}`), { token, ...how });
    expect([response.status, Object.keys(response.json)]).toEqual([status, ['detail']]);
  });
});

describe('a JSON body', () => {
  const login = (body: string | Buffer, headers: Record<string, string> = isJson) =>
    request('POST', '/api/auth/login', { body, headers });
  const invalid = [401, { detail: 'Invalid username or password' }];
  const notJson = [400, { detail: 'invalid JSON body' }];
  const unsupported = [415, { detail: 'unsupported media type' }];

  test.each([
    '{',
    '}',
    'x',
    '[]',
    '[{}]',
    'null',
    'true',
    '5',
    '"text"',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    ' ',
    '{"username": undefined}',
    '{} {}',
    '\ufeff{}',
    '{"a":"\n"}',
    'username=a&password=b',
    '{"a":01}',
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    '\0',
    'NaN',
  ])('is refused with 400 `invalid JSON body` if it is not a JSON object (%#)', async (body) => {
    expect(statusAndJson(await login(body))).toEqual(notJson);
  });

  test('is refused as invalid JSON if it is not UTF-8', async () => {
    for (const hex of [
      '7b2261223a22ff227d',
      '7b2261223a22c0ae227d',
      'fffe7b007d00',
      '7b2261223a22eda080227d',
    ]) {
      expect(statusAndJson(await login(Buffer.from(hex, 'hex')))).toEqual(notJson);
    }
  });

  test('causes no server error if an unused field is deeply nested', async () => {
    const depth = 100_000;
    const response = await login(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect([400, 401]).toContain(response.status);
    expect(statusAndJson(await login(`{"x":${'['.repeat(500)}${']'.repeat(500)}}`))).toEqual(
      invalid,
    );
  });

  test('counts as {} if it is empty, with and without content type', async () => {
    const user = await makeUser(app, 'user');
    const path = `/api/users/${user.id}`;
    const cases: RequestOptions[] = [{}, { body: '' }, { body: '', headers: isJson }];
    for (const how of [...cases, { body: '', chunked: true, headers: isJson }]) {
      const response = await request('PATCH', path, { token: app.adminToken, ...how });
      expect([response.status, response.json.id]).toEqual([200, user.id]);
      expect(statusAndJson(await request('POST', '/api/auth/login', how))).toEqual(invalid);
    }
  });

  test('is read with the last value of a repeated key', async () => {
    const { username } = await makeUser(app, 'user');
    const body = `{"username":"x","password":"${username}","username":"${username}"}`;
    expect((await login(body)).status).toBe(200);
  });

  test('is accepted up to exactly 1 MiB and refused beyond that, chunked or not', async () => {
    const body = (size: number) => '{"x":""}'.replace('""', `"${'x'.repeat(size - 8)}"`);
    for (const chunked of [false, true]) {
      const send = (size: number) =>
        request('POST', '/api/auth/login', { body: body(size), headers: isJson, chunked });
      expect(statusAndJson(await send(mebibyte))).toEqual(invalid);
      expect(statusAndJson(await send(mebibyte + 1))).toEqual([413, { detail: 'body too large' }]);
      expect(statusAndJson(await send(3 * mebibyte))).toEqual([413, { detail: 'body too large' }]);
    }
  });

  test.each([
    ['application/json', 401],
    ['application/json; charset=utf-8', 401],
    ['Application/JSON;charset="utf-8"', 401],
    ['application/json ; x=y', 401],
    ['application/jsonx', 415],
    ['application/json\tx', 415],
    ['text/json', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=b', 415],
    ['application/ld+json', 415],
    ['', 415],
    ['json', 415],
    ['*/*', 415],
    [undefined, 415],
  ])('gets for content type %j the status %i', async (type, status) => {
    const response = await login('{}', type === undefined ? {} : { 'content-type': type });
    expect(statusAndJson(response)).toEqual(status === 415 ? unsupported : invalid);
  });

  test.each([
    ['identity', 401],
    ['IDENTITY', 401],
    ['gzip', 415],
    ['br', 415],
    ['deflate', 415],
    ['zstd', 415],
    ['identity, gzip', 415],
    ['x', 415],
  ])('gets for content encoding %s the status %i', async (encoding, status) => {
    const response = await login('{}', { ...isJson, 'content-encoding': encoding });
    expect(statusAndJson(response)).toEqual(status === 415 ? unsupported : invalid);
  });
});

describe('an upload of an archive or a cover', () => {
  test.each([
    [{ 'content-type': 'application/json' }, 415],
    [{ 'content-type': 'multipart/mixed; boundary=b' }, 415],
    [{ 'content-type': 'multipart/form-datax; boundary=b' }, 415],
    [{ 'content-type': 'application/octet-stream' }, 415],
    [{ 'content-encoding': 'gzip' }, 415],
    [{ 'content-encoding': 'br' }, 415],
    [{ 'content-encoding': 'identity' }, 200],
    [{ 'content-type': formType.replace('form-data', 'Form-Data') }, 200],
  ])('gets with the headers %j the status %i', async (headers, status) => {
    const form = { bytes: 'x', filename: 'typed.zip' };
    for (const path of ['/api/store/upload', `/api/cover/${id}`]) {
      const response = await request('POST', path, { token: editor, form, headers });
      expect([response.status, response.json.detail]).toEqual([
        status,
        status === 415 ? 'unsupported media type' : undefined,
      ]);
    }
  });
});

describe('the account API', () => {
  test('ignores a body where none is expected, whatever its type', async () => {
    for (const type of ['application/json', 'text/plain', 'x/y; boundary=z']) {
      const how = { token: app.adminToken, body: '{"a', headers: { 'content-type': type } };
      for (const [method, path] of [
        ['GET', '/api/users'],
        ['GET', '/api/releases'],
        ['DELETE', '/api/users/999999'],
        ['DELETE', `/api/cover/${id}`],
      ] as const) {
        expect([path, (await request(method, path, how)).status]).toEqual([path, 200]);
      }
    }
  });
});
