import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson, makeToken, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

const tokenForm = /^cat_[A-Za-z0-9_-]{43}$/;
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const invalid = { detail: 'Invalid username or password' };

let app: TestApp;
let request: Requester;
const login = (json: unknown) => request('POST', '/api/auth/login', { json });
const me = (token: string) => request('GET', '/api/auth/me', { token });

beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
});
afterAll(() => app.close());

/** Returns the newest token record of the user to whom a token belongs. */
async function newestToken(token: string): Promise<Record<string, unknown>> {
  const { items } = (await request('GET', '/api/auth/tokens', { token })).json;
  return (items as Record<string, unknown>[])[0] ?? {};
}

describe('endpoint 1, POST /auth/login', () => {
  test('returns exactly token, username, role and user_id, for an api token', async () => {
    const user = await makeUser(app, 'editor');
    const response = await login({ username: user.username, password: user.username });
    const { token, ...rest } = response.json;
    expect(response.status).toBe(200);
    expect(token).toMatch(tokenForm);
    expect(rest).toEqual({ username: user.username, role: 'editor', user_id: user.id });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers['cache-control']).toBe('no-store');
    const record = await newestToken(String(token));
    expect(record).toMatchObject({ label: 'desktop', kind: 'api', revoked_at: null });
    expect(Object.keys(record)).toEqual(
      'id label kind created_at last_used_at expires_at revoked_at'.split(' '),
    );
    const lifetime = Date.parse(String(record.expires_at)) - Date.parse(String(record.created_at));
    expect(Math.round(lifetime / 86_400_000)).toBe(90);
    expect(record.created_at).toMatch(timestampForm);
  });

  test('trims the name and compares it in NFC, otherwise exactly', async () => {
    const json = { username: '  Zoe\u0308 ', password: 'pw' };
    expect((await request('POST', '/api/users', { token: app.adminToken, json })).status).toBe(200);
    for (const username of ['Zo\u00eb', 'Zoe\u0308', '\t Zo\u00eb \n']) {
      expect((await login({ username, password: 'pw' })).json.username).toBe('Zo\u00eb');
    }
    for (const username of ['zo\u00eb', 'Zoe', '%', 'Zo_', "Zo\u00eb'--"]) {
      expect((await login({ username, password: 'pw' })).status).toBe(401);
    }
  });

  test('sends the same 401 for an unknown user, an inactive one and a wrong password', async () => {
    const user = await makeUser(app, 'user');
    const gone = await makeUser(app, 'user');
    await app.catalog.accounts.updateUser(gone.id, { isActive: false }, { kind: 'system' });
    const plain = ({ headers: { date, ...headers }, status, text }: TestResponse) => {
      return { status, headers, text };
    };
    const unknown = await login({ username: 'nobody', password: 'x' });
    expect([unknown.status, unknown.json]).toEqual([401, invalid]);
    for (const json of [
      { username: user.username, password: 'wrong' },
      { username: user.username, password: '' },
      { username: user.username },
      { username: user.username, password: null },
      { username: user.username, password: ` ${user.username}` },
      { username: gone.username, password: gone.username },
      { password: 'x' },
      { username: null, password: 'x' },
      {},
    ]) {
      expect(plain(await login(json))).toEqual(plain(unknown));
    }
    expect((await request('POST', '/api/auth/login')).json).toEqual(invalid);
  });

  test.each([
    ['username', 5],
    ['username', ['a']],
    ['username', { a: 1 }],
    ['username', true],
    ['password', 5],
    ['password', false],
  ])('responds 422 and names the field if %s is %j', async (field, value) => {
    const response = await login({ username: 'a', password: 'b', [field]: value });
    expect([response.status, String(response.json.detail)]).toEqual([
      422,
      expect.stringContaining(field),
    ]);
  });

  test('compares passwords exactly, even long ones and those with NUL or spaces', async () => {
    for (const password of [' ', 'p\0q', 'x'.repeat(5000), '\u{1F600}']) {
      const username = `long-${password.length}-${password.charCodeAt(0)}`;
      const made = { token: app.adminToken, json: { username, password } };
      expect((await request('POST', '/api/users', made)).status).toBe(200);
      expect((await login({ username, password })).status).toBe(200);
      expect((await login({ username, password: `${password}x` })).status).toBe(401);
      expect((await login({ username, password: password.slice(0, -1) })).status).toBe(401);
    }
  });

  test('sets last_login_at, unlike a token that is issued otherwise', async () => {
    const user = await makeUser(app, 'user');
    const token = await makeToken(app, user);
    expect((await me(token)).json.last_login_at).toBeNull();
    await login({ username: user.username, password: user.username });
    expect((await me(token)).json.last_login_at).toMatch(timestampForm);
  });
});

describe('the session cookie of a login', () => {
  async function cookieLogin() {
    const user = await makeUser(app, 'user');
    const json = { username: user.username, password: user.username, cookie: true };
    const response = await login(json);
    const [cookie = ''] = response.headers['set-cookie'] ?? [];
    return { response, parts: cookie.split('; '), value: String(response.json.token) };
  }

  test('is HttpOnly, SameSite=Strict, Path=/, with a Max-Age, not Secure over HTTP', async () => {
    const { parts, value } = await cookieLogin();
    const [first, ...flags] = parts;
    expect(first).toBe(`catalog_session=${value}`);
    expect(flags).toEqual(['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=7776000']);
    expect(await newestToken(value)).toMatchObject({ kind: 'web', label: 'browser' });
    expect((await request('GET', '/api/auth/me', { cookie: value })).status).toBe(200);
  });

  test.each([false, 1, 'true', null, {}])(
    'is not set if the field `cookie` is %j',
    async (cookie) => {
      const { username } = await makeUser(app, 'user');
      const response = await login({ username, password: username, cookie });
      expect([response.status, response.headers['set-cookie']]).toEqual([200, undefined]);
    },
  );

  test('is cleared by a logout that revokes its token', async () => {
    const { value } = await cookieLogin();
    const response = await request('POST', '/api/auth/logout', { cookie: value });
    expect([response.status, response.json]).toEqual([200, { ok: true }]);
    expect(response.headers['set-cookie']).toEqual([
      'catalog_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0',
    ]);
    expect((await request('GET', '/api/auth/me', { cookie: value })).status).toBe(401);
  });
});

describe('endpoint 2, GET /auth/me', () => {
  test('returns exactly id, username, role, is_active, created_at and last_login_at', async () => {
    const { token, id, username, createdAt } = await makePerson(app, 'editor');
    const expected = { id, username, role: 'editor', is_active: 1, created_at: createdAt };
    expect((await me(token)).json).toEqual({ ...expected, last_login_at: null });
    expect(createdAt).toMatch(timestampForm);
  });
});

describe('endpoint 3, POST /auth/logout', () => {
  test('revokes the token of the header, and not that of the cookie', async () => {
    const person = await makePerson(app, 'user');
    const [header, cookie] = [await makeToken(app, person), await makeToken(app, person)];
    const response = await request('POST', '/api/auth/logout', { token: header, cookie });
    expect(response.json).toEqual({ ok: true });
    expect([(await me(header)).status, (await me(cookie)).status]).toEqual([401, 200]);
  });

  test('trims the token in the header', async () => {
    const { token } = await makePerson(app, 'user');
    await request('POST', '/api/auth/logout', {
      headers: { authorization: `Bearer   ${token}  ` },
    });
    expect((await me(token)).status).toBe(401);
  });

  test('responds 200 with any token or none, even to a malformed body', async () => {
    const person = await makePerson(app, 'user');
    const expired = await makeToken(app, person, -1);
    for (const token of [undefined, 'unknown', person.token, person.token, expired]) {
      const headers = { 'content-type': 'text/plain' };
      const response = await request('POST', '/api/auth/logout', { token, headers, body: '{"a' });
      expect([response.status, response.json]).toEqual([200, { ok: true }]);
    }
  });

  test.each(['', 'json', 'no type', '/', ';'])(
    'accepts a body with the invalid content type `%s`',
    async (type) => {
      const { token } = await makePerson(app, 'user');
      const headers = { 'content-type': type };
      const response = await request('POST', '/api/auth/logout', { token, headers, body: '{}' });
      expect([response.status, response.json]).toEqual([200, { ok: true }]);
      expect((await me(token)).status).toBe(401);
    },
  );

  test('keeps the first revoked_at at a second logout', async () => {
    const person = await makePerson(app, 'user');
    const token = await makeToken(app, person);
    await request('POST', '/api/auth/logout', { token });
    const first = await newestToken(person.token);
    expect(first.revoked_at).toMatch(timestampForm);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await request('POST', '/api/auth/logout', { token });
    expect((await newestToken(person.token)).revoked_at).toBe(first.revoked_at);
  });
});
