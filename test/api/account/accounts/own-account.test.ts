import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson, makeToken, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

const day = 86_400_000;
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

let app: TestApp;
let request: Requester;
const post = (path: string, token: string, json: unknown) => request('POST', path, { token, json });
const tokens = async (token: string) =>
  (await request('GET', '/api/auth/tokens', { token })).json.items as Record<string, unknown>[];

beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('POST /auth/password', () => {
  test('changes the password and keeps the tokens', async () => {
    const { username, token } = await makePerson(app, 'user');
    const login = async (password: string) =>
      (await request('POST', '/api/auth/login', { json: { username, password } })).status;
    const json = { current: username, new: ' new ' };
    expect(statusAndJson(await post('/api/auth/password', token, json))).toEqual([
      200,
      { ok: true },
    ]);
    expect([await login(' new '), await login('new'), await login(username)]).toEqual([
      200, 401, 401,
    ]);
    expect((await request('GET', '/api/auth/me', { token })).status).toBe(200);
  });

  test.each([
    [{ current: 'wrong', new: 'x' }, 400, 'wrong password'],
    [{ new: 'x' }, 400, 'wrong password'],
    [{ current: null, new: 'x' }, 400, 'wrong password'],
    [{ current: 'wrong' }, 422, 'new'],
    [{ current: 'wrong', new: '' }, 422, 'new'],
    [{ current: 'wrong', new: null }, 422, 'new'],
    [{ current: 'wrong', new: 5 }, 422, 'new'],
    [{ current: 5, new: 'x' }, 422, 'current'],
  ])('responds to %j with %i `%s`', async (json, status, detail) => {
    const { token, username } = await makePerson(app, 'user');
    const response = await post('/api/auth/password', token, json);
    expect([response.status, response.json.detail]).toEqual([
      status,
      expect.stringContaining(detail),
    ]);
    const login = { username, password: username };
    expect((await request('POST', '/api/auth/login', { json: login })).status).toBe(200);
  });
});

describe('POST /auth/password with revoke_others', () => {
  const me = async (token: string) => (await request('GET', '/api/auth/me', { token })).status;

  test('revokes all other tokens of the user, and none of another user', async () => {
    const { token, ...user } = await makePerson(app, 'user');
    const others = [await makeToken(app, user), await makeToken(app, user)];
    const otherUser = await makePerson(app, 'user');
    const json = { current: user.username, new: 'next', revoke_others: true };
    expect(statusAndJson(await post('/api/auth/password', token, json))).toEqual([
      200,
      { ok: true },
    ]);
    expect([await me(token), await me(otherUser.token)]).toEqual([200, 200]);
    for (const other of others) expect(await me(other)).toBe(401);
    const live = (await tokens(token)).filter(({ revoked_at }) => revoked_at === null);
    expect(live).toHaveLength(1);
    const login = { username: user.username, password: 'next' };
    expect((await request('POST', '/api/auth/login', { json: login })).status).toBe(200);
  });

  test('keeps the token of the request if it is sent as a cookie', async () => {
    const { token, ...user } = await makePerson(app, 'user');
    const other = await makeToken(app, user);
    const json = { current: user.username, new: 'next', revoke_others: true };
    const changed = await request('POST', '/api/auth/password', { cookie: token, json });
    expect([changed.status, await me(token), await me(other)]).toEqual([200, 200, 401]);
  });

  test.each([
    [{ revoke_others: false }, 200],
    [{ revoke_others: null }, 200],
    [{ revoke_others: 'true' }, 200],
    [{ revoke_others: 1 }, 200],
    [{ revoke_others: true, current: 'wrong' }, 400],
    [{ revoke_others: true, new: '' }, 422],
  ])('revokes no token with %j', async (fields, status) => {
    const { token, ...user } = await makePerson(app, 'user');
    const other = await makeToken(app, user);
    const json = { current: user.username, new: 'next', ...fields };
    expect((await post('/api/auth/password', token, json)).status).toBe(status);
    expect(await me(other)).toBe(200);
  });
});

describe('GET /auth/tokens?include', () => {
  test.each(['token', 'cookie'] as const)(
    'marks the current token of a user who authenticates by %s',
    async (by) => {
      const { token, ...user } = await makePerson(app, 'user');
      await makeToken(app, user);
      const path = '/api/auth/tokens?include=current';
      const items = (await request('GET', path, { [by]: token })).json.items as {
        current: boolean;
      }[];
      expect(items.map(({ current }) => current)).toEqual([false, true]);
    },
  );

  test.each(['?include=total', '?include=Current'])('refuses %s with 422', async (query) => {
    const { token } = await makePerson(app, 'user');
    const { status, json } = await request('GET', `/api/auth/tokens${query}`, { token });
    expect([status, json.detail]).toEqual([422, expect.stringMatching(/^include: /)]);
  });

  test.each(['', '?include='])(
    'returns only the documented fields for the query `%s`',
    async (query) => {
      const { token } = await makePerson(app, 'user');
      const { items } = (await request('GET', `/api/auth/tokens${query}`, { token })).json;
      const fields = 'id label kind created_at last_used_at expires_at revoked_at';
      expect(Object.keys((items as object[])[0] ?? {})).toEqual(fields.split(' '));
    },
  );
});

describe('GET, POST and DELETE /auth/tokens', () => {
  test('returns a new token only once, with id, label and expires_at, and accepts it', async () => {
    const { token } = await makePerson(app, 'editor');
    const made = await post('/api/auth/tokens', token, { label: ' backup ', expires_in_days: 7 });
    expect(Object.keys(made.json)).toEqual(['id', 'label', 'token', 'expires_at']);
    const { id, label, token: value, expires_at } = made.json;
    expect([label, value]).toEqual(['backup', expect.stringMatching(/^cat_[\w-]{43}$/)]);
    expect(Math.round((Date.parse(String(expires_at)) - Date.now()) / day)).toBe(7);
    expect(made.headers['cache-control']).toBe('no-store');
    expect((await request('GET', '/api/auth/me', { token: String(value) })).json.role).toBe(
      'editor',
    );
    const [newest] = await tokens(token);
    expect(newest).toMatchObject({ id, label, kind: 'api', expires_at, revoked_at: null });
    expect(JSON.stringify(await tokens(token))).not.toContain('cat_');
  });

  test.each([
    [0, null],
    [1, 1],
    [3650, 3650],
    [undefined, 90],
    [null, 90],
  ])(
    'turns expires_in_days %j of a new token into a lifetime of %j days',
    async (expires_in_days, days) => {
      const { token } = await makePerson(app, 'user');
      const { expires_at } = (await post('/api/auth/tokens', token, { expires_in_days })).json;
      if (days === null) expect(expires_at).toBeNull();
      else expect(Math.round((Date.parse(String(expires_at)) - Date.now()) / day)).toBe(days);
    },
  );

  test.each([
    ['expires_in_days', -1],
    ['expires_in_days', 1.5],
    ['expires_in_days', '7'],
    ['expires_in_days', true],
    ['expires_in_days', [7]],
    ['label', 5],
    ['label', {}],
    ['label', 'a\0b'],
  ])('responds 422 and names %s if it is %j', async (field, value) => {
    const { token } = await makePerson(app, 'user');
    const response = await post('/api/auth/tokens', token, { [field]: value });
    expect([response.status, response.json.detail]).toEqual([422, expect.stringContaining(field)]);
    expect(await tokens(token)).toHaveLength(1);
  });

  test.each(['1e400', '1e300', '9007199254740993'])(
    'refuses a lifetime of %s days, or returns a token that works',
    async (days) => {
      const { token } = await makePerson(app, 'user');
      const headers = { 'content-type': 'application/json' };
      const body = `{"expires_in_days": ${days}}`;
      const response = await request('POST', '/api/auth/tokens', { token, headers, body });
      expect([200, 422]).toContain(response.status);
      if (response.status !== 200) return;
      expect(Date.parse(String(response.json.expires_at))).toBeGreaterThan(Date.now());
      const value = String(response.json.token);
      expect((await request('GET', '/api/auth/me', { token: value })).status).toBe(200);
    },
  );

  test('ignores a role, a user and a value that the request for a new token names', async () => {
    const { token, id } = await makePerson(app, 'user');
    const json = { label: 'x', role: 'admin', user_id: 1, kind: 'web', token: 'cat_chosen', id: 1 };
    const made = (await post('/api/auth/tokens', token, json)).json;
    expect(made.token).not.toBe('cat_chosen');
    const me = (await request('GET', '/api/auth/me', { token: String(made.token) })).json;
    expect(me).toMatchObject({ id, role: 'user' });
  });

  test("revokes an own token at once, and keeps another user's token despite 200", async () => {
    const [a, b] = [await makePerson(app, 'user'), await makePerson(app, 'admin')];
    const [{ id } = {}] = await tokens(a.token);
    const path = `/api/auth/tokens/${id}`;
    expect(statusAndJson(await request('DELETE', path, { token: b.token }))).toEqual([
      200,
      { ok: true },
    ]);
    expect((await tokens(a.token))[0]?.revoked_at).toBeNull();
    expect(statusAndJson(await request('DELETE', path, { token: a.token }))).toEqual([
      200,
      { ok: true },
    ]);
    expect((await request('GET', '/api/auth/me', { token: a.token })).status).toBe(401);
  });
});

describe('a token of a user', () => {
  test('updates last_used_at at its first use, but not at a use right after that', async () => {
    const { token, ...user } = await makePerson(app, 'user');
    const other = await makeToken(app, user);
    const ofOther = async () => (await tokens(token))[0]?.last_used_at;
    expect(await ofOther()).toBeNull();
    await request('GET', '/api/auth/me', { token: other });
    const first = await ofOther();
    expect(first).toMatch(timestampForm);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await request('GET', '/api/auth/me', { token: other });
    expect(await ofOther()).toBe(first);
  });

  test.each([
    ['1', 1, 'Max-Age=86400'],
    ['0', null, undefined],
  ])('lives for the configured %s days, like its cookie', async (configured, days, maxAge) => {
    const other = await startTestApp({ 'token-days': configured });
    const user = await makeUser(other, 'user');
    const json = { username: user.username, password: user.username, cookie: true };
    const login = await createRequester(other.url)('POST', '/api/auth/login', { json });
    const token = String(login.json.token);
    const { items } = (await createRequester(other.url)('GET', '/api/auth/tokens', { token })).json;
    await other.close();
    const expires = (items as { expires_at: string | null }[])[0]?.expires_at;
    const cookie = login.headers['set-cookie']?.[0] ?? '';
    expect(cookie.split('; ').find((part) => part.startsWith('Max-Age'))).toBe(maxAge);
    if (days === null || !expires) expect(expires).toBe(days);
    else expect(Math.round((Date.parse(expires) - Date.now()) / day)).toBe(days);
  });
});
