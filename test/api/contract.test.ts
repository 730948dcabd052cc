import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Contract, type Exchange } from '../../measure/contract.ts';
import { accountDocument } from '../../src/http/account-api/app.ts';
import { minimalDocument } from '../../src/http/minimal-api/app.ts';
import { sendRequest } from '../support/http/client.ts';
import { registerContract } from '../support/http/contract.ts';
import { createRequester } from '../support/http/requester.ts';

// The tests of the API compare every response with its document. The comparison must find the
// faults planted here.

const account = new Contract(accountDocument('0.0.0'));
const minimal = new Contract(minimalDocument('0.0.0'), /(.)\/$/);

const isJson = { 'content-type': 'application/json; charset=utf-8' };
const user = {
  id: 1,
  username: 'u',
  role: 'user',
  is_active: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  last_login_at: null,
};
const { last_login_at: _never, ...withoutLogin } = user;
const file = {
  'content-type': 'image/png',
  'content-length': '1',
  'accept-ranges': 'bytes',
  etag: '"x"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
};
const exchange = (path: string, status: number, headers: object, body: unknown, method = 'GET') => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, path, status, headers: { ...headers }, body: text };
};

const right: [string, Exchange][] = [
  ['a user', exchange('/api/auth/me?x=/', 200, isJson, user)],
  ['a cover', exchange('/api/cover/1', 200, file, 'x')],
  ['HEAD', exchange('/api/cover/1', 200, file, '', 'HEAD')],
  ['an unknown path', exchange('/api/none', 404, isJson, { detail: 'not found' })],
  ['a wrong method', exchange('/api/users', 405, isJson, { detail: 'no' }, 'PUT')],
];
const wrong: [string, Exchange][] = [
  ['an undocumented status', exchange('/api/auth/me', 418, isJson, { detail: 'x' })],
  ['a status of another endpoint', exchange('/api/stats', 404, isJson, { detail: 'x' })],
  ['a missing field', exchange('/api/auth/me', 200, isJson, withoutLogin)],
  ['a further field', exchange('/api/auth/me', 200, isJson, { ...user, hash: 'x' })],
  ['a field of another type', exchange('/api/auth/me', 200, isJson, { ...user, is_active: true })],
  ['a value out of range', exchange('/api/auth/me', 200, isJson, { ...user, is_active: 2 })],
  ['a time without its zone', exchange('/api/auth/me', 200, isJson, { ...user, created_at: '1' })],
  ['a fault deep inside', exchange('/api/users', 200, isJson, { items: [user, withoutLogin] })],
  ['a body without `detail`', exchange('/api/auth/me', 503, isJson, { error: 'busy' })],
  ['a missing header', exchange('/api/auth/me', 401, isJson, { detail: 'not authenticated' })],
  ['an undocumented header', exchange('/api/stats', 200, { ...isJson, etag: '"x"' }, user)],
  [
    'a header that is not a number',
    exchange('/api/cover/1', 200, { ...file, 'content-length': 'x' }, 'x'),
  ],
  ['another content type', exchange('/api/cover/1', 200, { ...file, 'content-type': 'a/b' }, 'x')],
  ['no content type', exchange('/api/auth/me', 200, {}, user)],
  ['a body with status 304', exchange('/api/cover/1', 304, file, 'x')],
  ['an undocumented operation', exchange('/api/users', 200, isJson, user, 'PUT')],
  ['an undocumented path', exchange('/api/none', 200, isJson, {})],
  ['a 404 without `detail`', exchange('/api/none', 404, isJson, { error: 'not found' })],
  ['a slash too many', exchange('/api/auth/me/', 200, isJson, user)],
];

describe('the check of responses against a document', () => {
  test.each(right)('reports no fault for %s', (_what, response) => {
    expect(account.findDeviations(response)).toEqual([]);
  });

  test.each(wrong)('reports %s as a fault', (_what, response) => {
    expect(account.findDeviations(response)).not.toEqual([]);
  });

  test('reports wrong responses of the minimal API, and ignores a trailing slash', () => {
    const summary = { systems: [{ system: 'games', releases: 1 }] };
    const isTagged = { ...isJson, etag: '"x"' };
    expect(minimal.findDeviations(exchange('/api/summary/', 200, isTagged, summary))).toEqual([]);
    expect(
      minimal.findDeviations(exchange('/', 200, isJson, { name: 'x', endpoints: [] })),
    ).toEqual([]);
    const bundle = { ...file, 'content-type': 'application/zip', 'content-disposition': 'x' };
    expect(minimal.findDeviations(exchange('/api/covers/a.b.zip', 200, bundle, 'x'))).toEqual([]);
    for (const body of [{ systems: [{ system: 'games' }] }, { ...summary, more: 1 }]) {
      expect(minimal.findDeviations(exchange('/api/summary', 200, isTagged, body))).not.toEqual([]);
    }
  });
});

describe('a server that deviates from its document', () => {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, isJson).end(JSON.stringify(withoutLogin));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test('makes the requests of a test fail once its document is registered', async () => {
    expect((await createRequester(url)('GET', '/api/auth/me')).status).toBe(200);
    registerContract(url, 'account');
    const fault = /^GET \/api\/auth\/me answered 200 against its document: .*last_login_at/;
    await expect(createRequester(url)('GET', '/api/auth/me')).rejects.toThrow(fault);
    await expect(sendRequest(`${url}/api/auth/me`)).rejects.toThrow(fault);
  });
});
