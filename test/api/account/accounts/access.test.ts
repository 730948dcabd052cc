import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../../src/core/accounts/account.ts';
import { type Role, roleReaches } from '../../../../src/core/shared/requests/role.ts';
import { makePerson, makeToken, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type RequestOptions,
} from '../../../support/http/requester.ts';

/**
 * The columns are the endpoint, the method, the path, the lowest role, and the status of this
 * request for that role. The last column has the options of the request. The request must not
 * change anything.
 */
type Row = [string, string, string, 'open' | Role, number, RequestOptions?];

// biome-ignore format: the rows match the table in account-api.md
const table: readonly Row[] = [
  ['1', 'POST', '/api/auth/login', 'open', 401, { json: { username: 'nobody' } }],
  ['2', 'GET', '/api/auth/me', 'user', 200],
  ['3', 'POST', '/api/auth/logout', 'open', 200],
  ['4', 'GET', '/api/users', 'admin', 200],
  ['5', 'POST', '/api/users', 'admin', 400, { json: {} }],
  ['6', 'PATCH', '/api/users/999999', 'admin', 404, { json: {} }],
  ['7', 'DELETE', '/api/users/999999', 'admin', 200],
  ['8', 'GET', '/api/users/999999/tokens', 'admin', 200],
  ['9', 'DELETE', '/api/users/999999/tokens/1', 'admin', 200],
  ['10', 'GET', '/api/releases', 'open', 200],
  ['11', 'GET', '/api/releases/999999', 'open', 404],
  ['12', 'PATCH', '/api/releases/999999', 'editor', 404, { json: {} }],
  ['13', 'GET', '/api/cover/999999', 'open', 404],
  ['14', 'POST', '/api/cover/999999', 'editor', 404],
  ['15', 'DELETE', '/api/cover/999999', 'editor', 404],
  ['16', 'GET', '/api/store', 'open', 200],
  ['17', 'GET', '/api/store/download/games/none.zip', 'user', 404],
  ['18', 'POST', '/api/store/upload', 'editor', 422],
  ['19', 'DELETE', '/api/store/games/none.zip', 'editor', 404],
  ['20', 'GET', '/api/stats', 'admin', 200],
  ['password', 'POST', '/api/auth/password', 'user', 422, { json: {} }],
  ['own tokens', 'GET', '/api/auth/tokens', 'user', 200],
  ['new token', 'POST', '/api/auth/tokens', 'user', 422, { json: { label: 5 } }],
  ['revoke own', 'DELETE', '/api/auth/tokens/999999', 'user', 200],
  ['session', 'GET', '/api/session', 'open', 200],
  ['health', 'GET', '/api/health', 'open', 200],
  ['ready', 'GET', '/api/health/ready', 'open', 200],
  ['openapi', 'GET', '/api/openapi.json', 'open', 200],
  ['dropped edit', 'DELETE', '/api/releases/999999/edits/name', 'editor', 404],
  ['library files', 'GET', '/api/releases/999999/library', 'user', 404],
  ['archives', 'GET', '/api/releases/999999/archives', 'open', 404],
  ['group', 'GET', '/api/releases/999999/group', 'open', 404],
  ['join', 'POST', '/api/groups/999999/join', 'editor', 404, { json: {} }],
  ['split', 'POST', '/api/groups/999999/split', 'editor', 404, { json: {} }],
  ['facets', 'GET', '/api/facets', 'open', 200],
  ['letters', 'GET', '/api/letters', 'open', 200],
  ['imports', 'GET', '/api/imports', 'editor', 200],
  ['one import', 'GET', '/api/imports/999999', 'editor', 404],
  ['audit', 'GET', '/api/audit', 'admin', 200],
  ['downloads', 'GET', '/api/downloads', 'admin', 200],
  ['own downloads', 'GET', '/api/auth/downloads', 'user', 200],
  ['jobs', 'GET', '/api/jobs', 'editor', 200],
  ['new job', 'POST', '/api/jobs', 'editor', 422, { json: { kind: 'none' } }],
  ['one job', 'GET', '/api/jobs/999999', 'editor', 404],
  ['stopped job', 'POST', '/api/jobs/999999/stop', 'editor', 404],
  ['targets', 'GET', '/api/targets', 'editor', 200],
  ['schedules', 'GET', '/api/schedules', 'editor', 200],
  ['one schedule', 'PATCH', '/api/schedules/none', 'admin', 404, { json: {} }],
  ['dashboard', 'GET', '/api/dashboard', 'admin', 200],
  ['platforms', 'GET', '/api/platforms', 'user', 200],
  ['profiles', 'GET', '/api/profiles', 'user', 200],
  ['export', 'GET', '/api/sets/999999/export/es-de', 'user', 404],
  ['left out', 'GET', '/api/sets/999999/left-out/es-de', 'user', 404],
  ['missing csv', 'GET', '/api/platforms/999999/missing.csv', 'user', 404],
  ['missing dat', 'GET', '/api/platforms/999999/missing.dat', 'user', 404],
  ['sets', 'GET', '/api/sets', 'user', 200],
  ['new set', 'POST', '/api/sets', 'user', 422, { json: {} }],
  ['preview of a set', 'POST', '/api/sets/preview', 'user', 422, { json: {} }],
  ['one set', 'GET', '/api/sets/999999', 'user', 404],
  ['changed set', 'PATCH', '/api/sets/999999', 'user', 404, { json: {} }],
  ['end of a set', 'DELETE', '/api/sets/999999', 'user', 404],
  ['reason in a set', 'GET', '/api/sets/999999/explain/1', 'user', 404],
  ['missing csv of a set', 'GET', '/api/sets/999999/missing.csv', 'user', 404],
  ['missing dat of a set', 'GET', '/api/sets/999999/missing.dat', 'user', 404],
  ['own devices', 'GET', '/api/devices', 'user', 200],
  ['new device', 'POST', '/api/devices', 'user', 422, { json: {} }],
  ['end of a device', 'DELETE', '/api/devices/999999', 'user', 200],
  ['devices of a user', 'GET', '/api/users/999999/devices', 'admin', 200],
  ['end of a device of a user', 'DELETE', '/api/users/999999/devices/999999', 'admin', 200],
  ['library', 'GET', '/api/library', 'user', 200],
  ['recently added', 'GET', '/api/library/recent', 'user', 200],
  ['roots', 'GET', '/api/library/roots', 'editor', 200],
  ['one library file', 'GET', '/api/library/999999', 'user', 404],
  ['library download', 'GET', '/api/library/999999/download', 'user', 404],
  ['match', 'POST', '/api/library/999999/match', 'editor', 404, { json: {} }],
  ['alike', 'GET', '/api/library/alike', 'editor', 422],
  ['matches', 'POST', '/api/library/match', 'editor', 422, { json: {} }],
  ['release download', 'GET', '/api/releases/999999/download', 'user', 404],
  ['tus options', 'OPTIONS', '/api/uploads', 'editor', 204],
  ['new upload', 'POST', '/api/uploads', 'editor', 412],
  ['uploads', 'GET', '/api/uploads', 'editor', 200],
  ['one upload', 'GET', '/api/uploads/999999', 'editor', 404],
  ['the same for tus', 'HEAD', '/api/uploads/999999', 'editor', 404],
  ['tus at one upload', 'OPTIONS', '/api/uploads/999999', 'editor', 404],
  ['chunk', 'PATCH', '/api/uploads/999999', 'editor', 415],
  ['end of an upload', 'DELETE', '/api/uploads/999999', 'editor', 404],
  ['docs', 'GET', '/api/docs/', 'open', 200],
];
const endpoints = table.map<Required<Row>>(([no, method, path, access, allowed, how = {}]) => {
  return [no, method, path, access, allowed, how];
});

const refusedCallers = ['nobody', 'bad', 'expired', 'revoked', 'inactive', 'deleted'] as const;
type Caller = (typeof refusedCallers)[number] | Role;
const callers: readonly Caller[] = [...refusedCallers, 'user', 'editor', 'admin'];

let app: TestApp;
let request: Requester;
const users = new Map<Role, User>();
const dead = new Map<Caller, string | undefined>();

beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
  for (const role of ['user', 'editor', 'admin'] as const) {
    users.set(role, await makeUser(app, role));
  }
  const system = { kind: 'system' } as const;
  const admin = users.get('admin') as User;
  const revoked = await makeToken(app, admin);
  await app.catalog.accounts.logout(revoked, '127.0.0.1');
  const inactive = await makePerson(app, 'admin');
  await app.catalog.accounts.updateUser(inactive.id, { isActive: false }, system);
  const deleted = await makePerson(app, 'admin');
  await app.catalog.accounts.deleteUser(deleted.id, system);
  dead.set('nobody', undefined);
  dead.set('bad', 'cat_0000000000000000000000000000000000000000000');
  dead.set('expired', await makeToken(app, admin, -1));
  dead.set('revoked', revoked);
  dead.set('inactive', inactive.token);
  dead.set('deleted', deleted.token);
});
afterAll(() => app.close());

const tokens = new Map<Caller, string>();

/**
 * Returns a valid token for a role. Reuses the token, because a user can have only a limited
 * number. Creates a new token if endpoint 3 has revoked the previous one.
 */
async function tokenOf(caller: Caller): Promise<string | undefined> {
  const user = users.get(caller as Role);
  if (user === undefined) return dead.get(caller);
  const known = tokens.get(caller);
  if (known !== undefined && (await app.catalog.accounts.findCredential(known))) return known;
  const token = await makeToken(app, user);
  tokens.set(caller, token);
  return token;
}

function expected(caller: Caller, access: 'open' | Role, allowed: number): number {
  if (access === 'open') return allowed;
  if (!users.has(caller as Role)) return 401;
  return roleReaches(caller as Role, access) ? allowed : 403;
}

describe.each(endpoints)(
  'endpoint %s, %s %s, with access "%s"',
  (_no, method, path, access, allowed, how) => {
    test.each(callers)(
      'checks the access of the caller "%s" by header and by cookie',
      async (caller) => {
        const status = expected(caller, access, allowed);
        for (const by of ['token', 'cookie'] as const) {
          const response = await request(method, path, { ...how, [by]: await tokenOf(caller) });
          expect([by, response.status]).toEqual([by, status]);
          const isRefusal = access !== 'open' && (status === 401 || status === 403);
          expect(response.headers['www-authenticate']).toBe(
            isRefusal && status === 401 ? 'Bearer' : undefined,
          );
          if (!isRefusal || method === 'HEAD') continue;
          expect(response.json).toEqual({
            detail: status === 401 ? 'not authenticated' : 'forbidden',
          });
          expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
        }
      },
    );
  },
);

const gets = endpoints.filter(([, method]) => method === 'GET');
describe('the account API', () => {
  test.each(gets)(
    'responds to HEAD like to GET, without a body, at endpoint %s (%s %s)',
    async (_no, _get, path) => {
      for (const caller of ['nobody', 'expired', 'user', 'admin'] as const) {
        const token = await tokenOf(caller);
        const [get, head] = [
          await request('GET', path, { token }),
          await request('HEAD', path, { token }),
        ];
        expect([caller, head.status, head.body.length]).toEqual([caller, get.status, 0]);
        for (const name of ['content-type', 'content-length', 'www-authenticate']) {
          expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
        }
      }
    },
  );
});

// Leave out the page below /api/docs, because the files of the page come from a library, not from
// an endpoint.
const known = endpoints.filter(([name]) => name !== 'docs');
describe('the router of the account API', () => {
  test.each(known)(
    'refuses another method with 405 and Allow at endpoint %s (%s %s)',
    async (_no, method, path) => {
      const hasOptions = path.startsWith('/api/uploads');
      for (const wrong of ['PUT', ...(hasOptions ? [] : ['OPTIONS']), 'TRACE', 'PROPFIND']) {
        for (const token of [undefined, 'bad', app.adminToken]) {
          const response = await request(wrong, path, { token });
          expect([response.status, response.json]).toEqual([405, { detail: 'method not allowed' }]);
          const allow = String(response.headers.allow).split(', ');
          expect(allow).toContain(method);
          expect(allow.includes('HEAD')).toBe(allow.includes('GET'));
          expect(allow).not.toContain(wrong);
        }
      }
    },
  );

  test('has no documented endpoint that is missing from the table of this test', async () => {
    const { paths } = (await request('GET', '/api/openapi.json')).json as { paths: object };
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'head')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const missing = listed.filter((endpoint) => {
      const [method, path = ''] = endpoint.split(' ');
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return !endpoints.some(([, known, url]) => known === method && pattern.test(url));
    });
    expect(listed.length).toBeGreaterThanOrEqual(25);
    expect(missing).toEqual([]);
  });
});

describe('credentials', () => {
  const me = (headers: Record<string, string>) => request('GET', '/api/auth/me', { headers });

  test('are taken from the header, even if only the one in the cookie is valid', async () => {
    const [a, b] = [await makePerson(app, 'user'), await makePerson(app, 'user')];
    const cookie = `catalog_session=${b.token}`;
    const both = await me({ authorization: `Bearer ${a.token}`, cookie });
    expect(both.json.username).toBe(a.username);
    expect((await me({ authorization: 'Bearer bad', cookie })).status).toBe(401);
  });

  test.each([
    ['Bearer {}', 200],
    ['Bearer    {}   ', 200],
    ['Bearer \t{}', 200],
    ['bearer {}', 401],
    ['BEARER {}', 401],
    ['Bearer{}', 401],
    ['Bearer\t{}', 401],
    ['Token {}', 401],
    ['Basic {}', 401],
    ['{}', 401],
    ['Bearer "{}"', 401],
    ['Bearer {}, Bearer {}', 401],
    ['Bearer', 401],
  ])(
    'give for the header `%s` the status %i; the cookie counts if it has no Bearer token',
    async (spelling, status) => {
      const { token } = await makePerson(app, 'user');
      const authorization = spelling.replaceAll('{}', token);
      expect((await me({ authorization })).status).toBe(status);
      const counts = /^Bearer .*\S/.test(authorization);
      const withCookie = await me({ authorization, cookie: `catalog_session=${token}` });
      expect(withCookie.status).toBe(counts ? status : 200);
    },
  );

  test.each([
    ['catalog_session={}', 200],
    ['a=b; catalog_session={}; c=d', 200],
    ['a=b;catalog_session={}', 200],
    ['catalog_session=; catalog_session={}', 200],
    ['CATALOG_SESSION={}', 401],
    ['xcatalog_session={}', 401],
    ['catalog_session', 401],
    ['catalog_session=', 401],
  ])('give for the cookie `%s` the status %i', async (spelling, status) => {
    const { token } = await makePerson(app, 'user');
    expect((await me({ cookie: spelling.replace('{}', token) })).status).toBe(status);
  });

  test('are not read from the query or the body', async () => {
    const { token } = await makePerson(app, 'admin');
    const path = `/api/users?token=${token}&access_token=${token}&x=/api/cover/1`;
    expect((await request('GET', path)).status).toBe(401);
    expect((await request('POST', '/api/users', { json: { token } })).status).toBe(401);
  });
});

describe('the access check', () => {
  test.each([
    '/api/%75sers',
    '/%61pi/users',
    '/api/users%2F',
    '/api/users%00',
    '/api/users;x=/api/cover/1',
    '/api/Users',
    '/api/users?x=/api/cover/1',
    '/api/users?/api/releases',
    '/api/users#/api/releases',
    '//api/users',
    '/api//users',
    '/api/./users',
    '/api/releases/../users',
    '/api/releases/%2e%2e/users',
    '/api/users/',
    '/api/cover/../stats',
    '/api/cover/%2e%2e%2fstats',
    'http://x/api/users',
    '/api/stats?',
    '/api/stats%20',
  ])('lets no anonymous or plain user through for the path %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const statuses = [400, 401, 404, 405, 422];
      expect(statuses).toContain((await request(method, path)).status);
      expect([...statuses, 403]).toContain(
        (await request(method, path, { token: await tokenOf('user') })).status,
      );
    }
  });

  test('applies a changed role or active state of a user at once to a live token', async () => {
    const person = await makePerson(app, 'admin');
    const users = () => request('GET', '/api/users', { token: person.token });
    const patch = (json: object) =>
      request('PATCH', `/api/users/${person.id}`, { token: app.adminToken, json });
    expect((await users()).status).toBe(200);
    await patch({ role: 'editor' });
    expect((await users()).status).toBe(403);
    await patch({ role: 'admin', is_active: false });
    expect((await users()).status).toBe(401);
    await patch({ is_active: true });
    expect((await users()).status).toBe(200);
  });
});
