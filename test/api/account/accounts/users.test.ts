import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabaseOf } from '../../../support/data/database-of.ts';
import { makePerson, makeToken, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
const admin = (method: string, path: string, json?: unknown) =>
  request(method, path, { token: app.adminToken, json });
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const all = async () => (await admin('GET', '/api/users')).json.items as { username: string }[];

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('endpoint 4, GET /users', () => {
  test('returns exactly the documented fields, ordered by code point', async () => {
    const names = ['b', 'B', 'a', 'é', 'z', '\u{1F600}', '\uFF5A', '_', '%', '10', '9'];
    for (const username of names) await admin('POST', '/api/users', { username, password: 'p' });
    const items = await all();
    const byBytes = items
      .map((user) => user.username)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(items.map((user) => user.username)).toEqual(byBytes);
    expect(items.map((user) => user.username)).toEqual(expect.arrayContaining(names));
    for (const user of items) {
      expect(Object.keys(user)).toEqual(
        'id username role is_active created_at last_login_at'.split(' '),
      );
    }
  });
});

describe('endpoint 5, POST /users', () => {
  test('returns id, username (trimmed, in NFC), role (user by default) and is_active', async () => {
    const response = await admin('POST', '/api/users', { username: ' e\u0301 x ', password: ' ' });
    const { id } = response.json;
    expect(statusAndJson(response)).toEqual([
      200,
      { id, username: '\u00e9 x', role: 'user', is_active: 1 },
    ]);
    expect(Number.isInteger(id)).toBe(true);
  });

  test.each([
    [{}, 400, 'username and password are required'],
    [{ username: 'x' }, 400, 'username and password are required'],
    [{ password: 'x' }, 400, 'username and password are required'],
    [{ username: '  \t\n', password: 'x' }, 400, 'username and password are required'],
    [{ username: 'x', password: '' }, 400, 'username and password are required'],
    [{ username: null, password: 'x' }, 400, 'username and password are required'],
    [{ username: 'x', password: null }, 400, 'username and password are required'],
    [{ username: '', password: 'x', role: 'god' }, 400, 'username and password are required'],
    [{ username: 'x', password: 'x', role: 'god' }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: '' }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: 'Admin' }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: ' user' }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: 5 }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: ['admin'] }, 400, 'invalid role'],
    [{ username: 'x', password: 'x', role: false }, 400, 'invalid role'],
    [{ username: 'admin', password: 'x', role: 'god' }, 400, 'invalid role'],
    [{ username: 'admin', password: 'x' }, 409, 'username already exists'],
    [{ username: ' admin ', password: 'x', role: null }, 409, 'username already exists'],
  ])('responds to %j with %i `%s`', async (json, status, detail) => {
    expect(statusAndJson(await admin('POST', '/api/users', json))).toEqual([status, { detail }]);
  });

  test.each([
    ['username', 5],
    ['username', []],
    ['username', 'a\0b'],
    ['username', 'a\x07b'],
    ['username', 'a\x9bb'],
    ['username', 'a\u00adb'],
    ['username', 'ad\u200bmin'],
    ['username', 'ad\u200dmin'],
    ['username', '\u202enimda'],
    ['username', '\u2066admin\u2069'],
    ['username', 'admin\u061c'],
    ['username', 'admin\u{e0041}'],
    ['password', 5],
    ['password', {}],
  ])('responds 422 and names %s if it is %j', async (field, value) => {
    const json = { username: 'n', password: 'p', [field]: value };
    const response = await admin('POST', '/api/users', json);
    expect([response.status, response.json.detail]).toEqual([422, expect.stringContaining(field)]);
  });

  test('keeps an existing name with invisible characters usable', async () => {
    const username = 'ad\u200bmin \u202e';
    const { id } = (await admin('POST', '/api/users', { username: 'known', password: 'p' })).json;
    await withDatabaseOf(app, (engine) =>
      engine.write((trx) =>
        trx.updateTable('user').set({ username }).where('id', '=', Number(id)).execute(),
      ),
    );
    const json = { username, password: 'p' };
    const login = await request('POST', '/api/auth/login', { json });
    expect([login.status, login.json.username]).toEqual([200, username]);
    expect((await admin('PATCH', `/api/users/${id}`, { role: 'editor' })).json).toMatchObject({
      username,
      role: 'editor',
    });
  });

  test('ignores id, is_active, created_at and __proto__ in the body', async () => {
    const username = 'mass-assigned';
    const json = { username, password: 'p', id: 1, is_active: 0, created_at: 'x', role: null };
    const body = `{"__proto__": {"role": "admin"}, ${JSON.stringify(json).slice(1)}`;
    const headers = { 'content-type': 'application/json' };
    const response = await request('POST', '/api/users', { token: app.adminToken, headers, body });
    expect(response.json).toMatchObject({ username, role: 'user', is_active: 1 });
    expect(response.json.id).not.toBe(1);
    const created = (await all()).find((user) => user.username === username);
    expect(created).toMatchObject({ created_at: expect.stringMatching(/^20\d\d-/) });
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('creates one of 50 concurrent users of one name, and refuses 49 with 409', async () => {
    const json = { username: 'contested', password: 'p' };
    const requests = Array.from({ length: 50 }, () => admin('POST', '/api/users', json));
    const statuses = (await Promise.all(requests)).map((response) => response.status);
    expect(statuses.toSorted()).toEqual([200, ...Array(49).fill(409)]);
    expect((await all()).filter((user) => user.username === 'contested')).toHaveLength(1);
  });
});

describe('endpoint 6, PATCH /users/{user_id}', () => {
  test.each([
    [false, 0],
    [0, 0],
    ['', 0],
    [null, 0],
    [true, 1],
    [1, 1],
    [-1, 1],
    ['0', 1],
    ['false', 1],
    [' ', 1],
    [[], 1],
    [{}, 1],
  ])('turns is_active %j into %i', async (value, is_active) => {
    const user = await makeUser(app, 'user');
    await admin('PATCH', `/api/users/${user.id}`, { is_active: !is_active });
    const response = await admin('PATCH', `/api/users/${user.id}`, { is_active: value });
    const { id, username } = user;
    expect(statusAndJson(response)).toEqual([200, { id, username, role: 'user', is_active }]);
  });

  test('changes only the given fields', async () => {
    const { id, username } = await makeUser(app, 'editor');
    const before = { id, username, role: 'editor', is_active: 1 };
    for (const json of [
      undefined,
      {},
      { role: null },
      { password: '' },
      { password: null },
      { x: 1 },
    ]) {
      expect(statusAndJson(await admin('PATCH', `/api/users/${id}`, json))).toEqual([200, before]);
    }
    const renamed = await admin('PATCH', `/api/users/${id}`, { username: 'other', id: 7 });
    expect(renamed.json).toEqual(before);
    const login = { username, password: username };
    expect((await request('POST', '/api/auth/login', { json: login })).status).toBe(200);
    expect((await admin('PATCH', `/api/users/${id}`, { role: 'user' })).json.role).toBe('user');
  });

  test('changes the password and keeps the tokens, unless revoke_tokens is true', async () => {
    const person = await makePerson(app, 'user');
    const path = `/api/users/${person.id}`;
    const login = async (password: string) => {
      const json = { username: person.username, password };
      return (await request('POST', '/api/auth/login', { json })).status;
    };
    const me = async () => (await request('GET', '/api/auth/me', { token: person.token })).status;
    await admin('PATCH', path, { password: ' new ' });
    expect([await login(' new '), await login(person.username), await me()]).toEqual([
      200, 401, 200,
    ]);
    await admin('PATCH', path, { password: 'newer', revoke_tokens: 'yes' });
    expect(await me()).toBe(200);
    await admin('PATCH', path, { password: 'newest', revoke_tokens: true });
    expect([await me(), await login('newest')]).toEqual([401, 200]);
  });

  test('responds 404 before it checks the body, and 400 to an invalid role', async () => {
    const { id } = await makeUser(app, 'user');
    const unknown = { detail: 'not found' };
    for (const json of [{}, { role: 'god' }, { password: 5 }]) {
      expect(statusAndJson(await admin('PATCH', '/api/users/999999', json))).toEqual([
        404,
        unknown,
      ]);
    }
    for (const role of ['god', '', 5, {}, true]) {
      const response = await admin('PATCH', `/api/users/${id}`, { role, is_active: false });
      expect(statusAndJson(response)).toEqual([400, { detail: 'invalid role' }]);
    }
    expect((await admin('PATCH', `/api/users/${id}`)).json.is_active).toBe(1);
    const wrong = await admin('PATCH', `/api/users/${id}`, { password: 5 });
    expect([wrong.status, wrong.json.detail]).toEqual([422, expect.stringContaining('password')]);
  });
});

describe('endpoint 7, DELETE /users/{user_id}', () => {
  test('responds 200 even for an unknown user, and ends the tokens of a deleted one', async () => {
    const person = await makePerson(app, 'admin');
    for (let i = 0; i < 2; i += 1) {
      expect(statusAndJson(await admin('DELETE', `/api/users/${person.id}`))).toEqual([
        200,
        { ok: true },
      ]);
    }
    expect((await request('GET', '/api/auth/me', { token: person.token })).status).toBe(401);
    const tokens = await admin('GET', `/api/users/${person.id}/tokens`);
    expect(tokens.json).toEqual({ items: [] });
  });

  test('refuses to delete the user of the request with 400 `cannot delete yourself`', async () => {
    const person = await makePerson(app, 'admin');
    const response = await request('DELETE', `/api/users/${person.id}`, { token: person.token });
    expect(statusAndJson(response)).toEqual([400, { detail: 'cannot delete yourself' }]);
  });

  test('never lets a new user have the id of a deleted one', async () => {
    const user = await makeUser(app, 'user');
    await admin('DELETE', `/api/users/${user.id}`);
    expect((await makeUser(app, 'user')).id).toBeGreaterThan(user.id);
  });
});

describe('the tokens of a user at endpoints 8 and 9', () => {
  const tokens = async (id: number) =>
    (await admin('GET', `/api/users/${id}/tokens`)).json.items as Record<string, unknown>[];

  test('are listed by descending id, without their values; an unknown user has none', async () => {
    const person = await makePerson(app, 'user');
    for (let i = 0; i < 3; i += 1) await makeToken(app, person);
    const ids = (await tokens(person.id)).map((token) => Number(token.id));
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(JSON.stringify(await tokens(person.id))).not.toContain('cat_');
    expect(await tokens(999_999)).toEqual([]);
  });

  test('are revoked once, and only if they belong to the user in the path', async () => {
    const [a, b] = [await makePerson(app, 'user'), await makePerson(app, 'user')];
    const id = (await tokens(a.id))[0]?.id;
    const ok = [200, { ok: true }];
    expect(statusAndJson(await admin('DELETE', `/api/users/${b.id}/tokens/${id}`))).toEqual(ok);
    expect((await tokens(a.id))[0]?.revoked_at).toBeNull();
    expect(statusAndJson(await admin('DELETE', `/api/users/${a.id}/tokens/${id}`))).toEqual(ok);
    const first = (await tokens(a.id))[0]?.revoked_at;
    expect(first).toMatch(/^\d{4}-.*Z$/);
    expect((await request('GET', '/api/auth/me', { token: a.token })).status).toBe(401);
    expect(statusAndJson(await admin('DELETE', `/api/users/${a.id}/tokens/${id}`))).toEqual(ok);
    expect((await tokens(a.id))[0]?.revoked_at).toBe(first);
    expect(statusAndJson(await admin('DELETE', `/api/users/${a.id}/tokens/999999`))).toEqual(ok);
  });
});
