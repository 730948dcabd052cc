import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineOf } from '../../../src/sql/rows/portable-row.ts';
import { rowTables } from '../../../src/sql/rows/row-tables.ts';
import { withDatabaseOf } from '../../support/data/database-of.ts';
import { makePerson, makeToken, makeUser } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const host = () => new URL(app.url).host;

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('a write that is authenticated by the cookie alone', () => {
  test.each<[object, boolean]>([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': '' }, false],
    [{ 'sec-fetch-site': 'Same-Origin' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://HOST' }, false],
    [{ origin: 'http://HOST' }, true],
    [{ origin: 'https://HOST' }, true],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'http://HOST.evil.example' }, false],
    [{ origin: 'http://127.0.0.1' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: 'HOST' }, false],
    [{ origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }, false],
    [{ origin: 'http://nas.local', host: 'nas.local' }, true],
    [{ origin: 'http://NAS.local', host: 'nas.LOCAL:80' }, true],
  ])(
    'must come from the same origin: with the headers %j it is allowed: %s',
    async (given, isAllowed) => {
      const headers = JSON.parse(JSON.stringify(given).replaceAll('HOST', host()));
      const { token } = await makePerson(app, 'admin');
      const byCookie = (method: string, path: string) =>
        request(method, path, { cookie: token, headers });
      for (const [method, path] of [
        ['DELETE', '/api/users/999999'],
        ['PATCH', '/api/users/1'],
        ['POST', '/api/auth/tokens'],
      ] as const) {
        const response = await byCookie(method, path);
        if (isAllowed) expect(response.status).toBe(200);
        else expect(statusAndJson(response)).toEqual([403, { detail: 'cross-origin request' }]);
        expect((await request(method, path, { token, headers })).status).toBe(200);
        expect((await request(method, path, { token, cookie: token, headers })).status).toBe(200);
      }
      expect((await byCookie('GET', '/api/users')).status).toBe(200);
      // The response to a logout is always the same. An allowed logout revokes the token; other
      // logouts do not.
      const logout = await byCookie('POST', '/api/auth/logout');
      expect(statusAndJson(logout)).toEqual([200, { ok: true }]);
      expect(logout.headers['set-cookie'] === undefined).toBe(!isAllowed);
      expect((await request('GET', '/api/auth/me', { token })).status).toBe(isAllowed ? 401 : 200);
    },
  );

  test('is checked for its origin after its token and role, and before its body', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const user = await makePerson(app, 'user');
    const path = '/api/users/999999';
    expect((await request('PATCH', path, { cookie: 'bad', headers })).status).toBe(401);
    const low = await request('PATCH', path, { cookie: user.token, headers });
    expect(statusAndJson(low)).toEqual([403, { detail: 'forbidden' }]);
    const admin = await makePerson(app, 'admin');
    const response = await request('PATCH', path, { cookie: admin.token, headers, body: 'x' });
    expect(statusAndJson(response)).toEqual([403, { detail: 'cross-origin request' }]);
  });
});

describe('the last active admin', () => {
  const last = [409, { detail: 'last active admin' }];

  test('cannot be demoted or deactivated, and nothing else of the PATCH is applied', async () => {
    const other = await startTestApp();
    const admin = (json: object) =>
      createRequester(other.url)('PATCH', '/api/users/1', { token: other.adminToken, json });
    for (const json of [{ role: 'user' }, { role: 'editor', password: 'x' }, { is_active: 0 }]) {
      expect(statusAndJson(await admin({ ...json, revoke_tokens: true }))).toEqual(last);
    }
    const same = await admin({ role: 'admin', is_active: true });
    expect(same.json).toEqual({ id: 1, username: 'admin', role: 'admin', is_active: 1 });
    const login = { username: 'admin', password: 'admin-password' };
    const status = (await createRequester(other.url)('POST', '/api/auth/login', { json: login }))
      .status;
    await other.close();
    expect(status).toBe(200);
  });

  const race = 'is not %s by 50 requests at once';
  test.each(['demoted'])(race, expectOneLeft);
  test.each(['deactivated', 'deleted'])(race, { tags: ['full'] }, expectOneLeft);

  async function expectOneLeft(how: string): Promise<void> {
    const other = await startTestApp();
    const admins: { id: number; tokens: string[] }[] = [];
    for (let i = 0; i < 5; i += 1) {
      const user = await makeUser(other, 'admin');
      const tokens: string[] = [];
      for (let k = 0; k < 2; k += 1) tokens.push(await makeToken(other, user));
      admins.push({ id: user.id, tokens });
    }
    admins.push({ id: 1, tokens: [other.adminToken] });
    const requests = admins.flatMap(({ tokens }, by) =>
      tokens.flatMap((token) =>
        admins
          .filter((_, of) => of !== by)
          .map(({ id }) => {
            const path = `/api/users/${id}`;
            if (how === 'deleted') return createRequester(other.url)('DELETE', path, { token });
            const json = how === 'demoted' ? { role: 'user' } : { is_active: false };
            return createRequester(other.url)('PATCH', path, { token, json });
          }),
      ),
    );
    expect(requests.length).toBeGreaterThanOrEqual(50);
    const statuses = (await Promise.all(requests)).map((response) => response.status);
    expect(
      [...new Set(statuses)].filter((status) => ![200, 401, 403, 404, 409].includes(status)),
    ).toEqual([]);
    const users = await other.catalog.accounts.listUsers();
    await other.close();
    const left = users.filter((user) => user.role === 'admin' && user.isActive);
    expect(left.length).toBeGreaterThanOrEqual(1);
  }
});

describe('CORS', () => {
  const preflight = { 'access-control-request-method': 'POST' };

  test.each(['https://a.example', 'null', 'http://HOST', '*'])(
    'is off by default for the origin %s',
    async (from) => {
      const origin = from.replace('HOST', host());
      const requests = [
        request('GET', '/api/releases', { headers: { origin } }),
        request('GET', '/api/users', { headers: { origin } }),
        request('OPTIONS', '/api/users', { headers: { origin, ...preflight } }),
      ];
      for (const { headers } of await Promise.all(requests)) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual(
          [],
        );
      }
      expect((await requests[2])?.status).toBe(405);
    },
  );

  test('is on for the configured origins only, never with credentials', async () => {
    const other = await startTestApp({ 'cors-origins': 'https://a.example,http://b.example:8080' });
    const send = createRequester(other.url);
    for (const [origin, isNamed] of [
      ['https://a.example', true],
      ['http://b.example:8080', true],
      ['http://a.example', false],
      ['https://a.example.evil.example', false],
      ['http://b.example', false],
      ['null', false],
    ] as const) {
      for (const [method, path, headers] of [
        ['GET', '/api/releases', {}],
        ['GET', '/api/users', {}],
        ['GET', '/api/nothing', {}],
        ['OPTIONS', '/api/users', preflight],
      ] as const) {
        const response = await send(method, path, { headers: { origin, ...headers } });
        const allowed = response.headers['access-control-allow-origin'];
        expect([origin, path, allowed]).toEqual([origin, path, isNamed ? origin : undefined]);
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
        expect(response.headers.vary).toMatch(/origin/i);
      }
    }
    const options = [
      await send('OPTIONS', '/api/users'),
      await send('OPTIONS', '/api/users', { headers: { origin: 'https://a.example' } }),
      await send('OPTIONS', '/api/nothing'),
    ];
    await other.close();
    const refused = [405, { detail: 'method not allowed' }];
    expect(options.map(statusAndJson)).toEqual([refused, refused, [404, { detail: 'not found' }]]);
    expect(options[0]?.headers.allow).toBe('GET, HEAD, POST');
  });
});

describe('forwarded headers', () => {
  const forwarded = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'cat.example',
    'x-forwarded-for': '192.0.2.7',
  };
  const login = async (of: TestApp, headers: object) => {
    const json = { username: 'admin', password: 'admin-password', cookie: true };
    const response = await createRequester(of.url)('POST', '/api/auth/login', {
      headers: { ...headers },
      json,
    });
    return { cookie: String(response.headers['set-cookie']), token: String(response.json.token) };
  };

  test('count for Secure cookies and the own origin only from a trusted proxy', async () => {
    const trusting = await startTestApp({ 'trusted-proxy': '127.0.0.0/8' });
    const distrusting = await startTestApp({ 'trusted-proxy': '10.0.0.0/8' });
    const results = [];
    for (const of of [trusting, distrusting, app]) {
      const { cookie, token } = await login(of, forwarded);
      const headers = { ...forwarded, origin: 'https://cat.example' };
      const write = await createRequester(of.url)('DELETE', '/api/users/999', {
        cookie: token,
        headers,
      });
      results.push([cookie.includes('; Secure'), write.status]);
    }
    await Promise.all([trusting.close(), distrusting.close()]);
    expect(results).toEqual([
      [true, 200],
      [false, 403],
      [false, 403],
    ]);
  });

  test('cause neither HSTS nor upgrade-insecure-requests', async () => {
    const { headers } = await request('GET', '/api/releases', { headers: forwarded });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
});

describe('the account API', () => {
  test('sends nosniff, CSP, frame and referrer policy with every response', async () => {
    for (const [method, path] of [
      ['GET', '/api/releases'],
      ['GET', '/api/users'],
      ['GET', '/nothing'],
      ['PUT', '/api/users'],
      ['GET', '/api/releases/x'],
      ['POST', '/api/auth/login'],
      ['GET', '/api/%zz'],
      ['GET', '/api/docs/'],
      ['GET', '/api/openapi.json'],
      ['HEAD', '/api/releases'],
      ['TRACE', '/api/releases'],
    ] as const) {
      const { headers } = await request(method, path);
      expect([path, headers]).toEqual([
        path,
        expect.objectContaining({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        }),
      ]);
      expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
    }
  });

  test.each([
    ['GET /api/store HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['\x16\x03\x01\x02\x00garbage\r\n\r\n', 400],
    [`GET /api/store HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('refuses bytes that are not an HTTP request with a JSON error (%#)', async (bytes, status) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(bytes, 'latin1');
    const response = await text(socket);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response.split('\r\n\r\n')[1]).toBe('{"detail":"bad request"}');
  });

  test('stores only hashes of tokens and passwords in the database', async () => {
    const { token, username } = await makePerson(app, 'user');
    const json = { username, password: username };
    const login = await request('POST', '/api/auth/login', { json });
    await request('PATCH', '/api/users/1', {
      token: app.adminToken,
      json: { password: 'canary-password' },
    });
    const parts = app.database === '' ? await filesOf(app.data) : await tablesOf(app);
    expect(parts.some(([, bytes]) => bytes.includes(username))).toBe(true);
    for (const [name, bytes] of parts) {
      for (const secret of [
        token,
        login.json.token,
        app.adminToken,
        'canary-password',
        '$argon2i$',
      ]) {
        expect([name, bytes.includes(String(secret))]).toEqual([name, false]);
      }
    }
  });
});

async function filesOf(data: string): Promise<[string, Buffer][]> {
  const names = (await readdir(data)).filter((name) => name.startsWith('catalog.db'));
  return Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(data, name))]),
  );
}

function tablesOf(from: TestApp): Promise<[string, string][]> {
  return withDatabaseOf(from, (engine) =>
    engine.snapshot(async ({ reader }) => {
      const tables: [string, string][] = [];
      for (const table of rowTables) {
        const batches = reader.rows(table, await reader.columns(table));
        for await (const rows of batches) tables.push([table.name, rows.map(lineOf).join('\n')]);
      }
      return tables;
    }),
  );
}
