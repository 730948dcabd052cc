import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabaseOf } from '../../support/data/database-of.ts';
import { importGames } from '../../support/data/dats.ts';
import { makePerson, makeToken } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let editor: string;
let id: number;

beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
  editor = (await makePerson(app, 'editor')).token;
  await importGames(app, ['Game']);
  id = await firstId('/api/releases');
});
afterAll(() => app.close());

async function itemsOf(path: string, token?: string): Promise<{ id: number }[]> {
  const { json } = await request('GET', path, token === undefined ? {} : { token });
  return (json as { items: { id: number }[] }).items;
}

async function firstId(path: string, token?: string): Promise<number> {
  return (await itemsOf(path, token))[0]?.id ?? 0;
}

/** Returns `count` characters that have two bytes each in UTF-8. */
const umlauts = (count: number) => 'ä'.repeat(count);
/** Returns `count` characters that have two UTF-16 units each. */
const gamepads = (count: number) => '\u{1F3AE}'.repeat(count);

describe('the text of a release', () => {
  const longest: [string, string][] = [
    ['name', gamepads(1000)],
    ['description', umlauts(32_768)],
    ['synopsis', umlauts(32_768)],
    ...['region', 'serial', 'title', 'release_date', 'developer', 'publisher', 'genre'].map(
      (field): [string, string] => [field, umlauts(2_048)],
    ),
  ];
  const patch = (json: unknown) => request('PATCH', `/api/releases/${id}`, { token: editor, json });

  test.each(longest)(
    'is accepted up to the maximum length of %s, and refused beyond that with 422',
    async (field, text) => {
      expect((await patch({ [field]: text })).status).toBe(200);
      const refused = await patch({ name: 'not changed', [field]: `${text}a` });
      expect([refused.status, refused.json.detail]).toEqual([
        422,
        expect.stringContaining(`${field}: must be at most`),
      ]);
      expect((await request('GET', `/api/releases/${id}`)).json.name).not.toBe('not changed');
    },
  );

  test('is served even if it exceeds the maximum, and does not prevent other edits', async () => {
    const long = 'x'.repeat(5_000);
    await importGames(app, ['Long'], 'Test - Long');
    // Stores a value that an earlier version accepted.
    await withDatabaseOf(app, (engine) =>
      engine.write((trx) =>
        trx.updateTable('release').set({ region: long }).where('name', '=', 'Long').execute(),
      ),
    );
    const path = `/api/releases/${await firstId('/api/releases?q=Long')}`;
    expect(
      (await request('PATCH', path, { token: editor, json: { genre: 'Puzzle' } })).status,
    ).toBe(200);
    expect((await request('GET', path)).json.region).toBe(long);
  });

  test('is not checked for an unknown release, which gets 404', async () => {
    const json = { name: 'x'.repeat(2_000) };
    const response = await request('PATCH', '/api/releases/999999', { token: editor, json });
    expect(response.status).toBe(404);
  });
});

describe('the limit of names and labels', () => {
  test('allows a user name of 255 bytes and no more; a login with more gets 401', async () => {
    const token = app.adminToken;
    const make = (username: string) =>
      request('POST', '/api/users', { token, json: { username, password: 'p' } });
    expect((await make(`${umlauts(127)}a`)).status).toBe(200);
    const refused = await make(umlauts(128));
    expect([refused.status, refused.json.detail]).toEqual([
      422,
      'username: must be at most 255 bytes long',
    ]);
    const login = { username: 'x'.repeat(100_000), password: 'p' };
    const response = await request('POST', '/api/auth/login', { json: login });
    expect([response.status, response.json]).toEqual([
      401,
      { detail: 'Invalid username or password' },
    ]);
  });

  test('allows a label of 200 characters, and refuses more with 422', async () => {
    const make = (label: string) =>
      request('POST', '/api/auth/tokens', { token: editor, json: { label } });
    expect((await make(gamepads(200))).status).toBe(200);
    const refused = await make(gamepads(201));
    expect([refused.status, refused.json.detail]).toEqual([
      422,
      'label: must be at most 200 characters long',
    ]);
  });
});

describe('the account API', () => {
  test('accepts 16 search words for releases, facets and letters, and refuses 17', async () => {
    const words = (count: number) =>
      encodeURIComponent(Array.from({ length: count }, (_, i) => `w${i}`).join('  '));
    for (const list of ['releases', 'facets', 'letters']) {
      expect((await request('GET', `/api/${list}?search=${words(16)}`)).status, list).toBe(200);
      const refused = await request('GET', `/api/${list}?search=${words(17)}`);
      expect([list, refused.status, refused.json.detail]).toEqual([
        list,
        422,
        'search: must be at most 16 words',
      ]);
    }
  });
});

describe('the limit of 200 live tokens', () => {
  const login = async (username: string) => {
    const json = { username, password: username };
    return (await request('POST', '/api/auth/login', { json })).json.token as string;
  };
  const isLive = async (token: string) =>
    (await request('GET', '/api/auth/me', { token })).status === 200;

  test('refuses one more token until one is revoked, and counts no expired token', async () => {
    const person = await makePerson(app, 'user');
    const make = () =>
      request('POST', '/api/auth/tokens', { token: person.token, json: { label: 'mine' } });
    await makeToken(app, person, -1); // an expired token does not count
    for (let i = 1; i < 200; i += 1) await makeToken(app, person);
    const refused = await make();
    expect([refused.status, refused.json]).toEqual([409, { detail: 'too many tokens' }]);
    const newest = await firstId('/api/auth/tokens', person.token);
    await request('DELETE', `/api/auth/tokens/${newest}`, { token: person.token });
    expect((await make()).status).toBe(200);
    expect((await make()).status).toBe(409);
  });

  test('lets a login revoke the login token that was unused for longest', async () => {
    const person = await makePerson(app, 'user');
    const first = await login(person.username);
    const second = await login(person.username);
    for (let i = 3; i < 200; i += 1) await makeToken(app, person);
    expect(await isLive(first)).toBe(true); // used last, so the second is revoked
    await app.catalog.accounts.listTokens(person.id); // waits until the use is recorded
    const third = await login(person.username);
    expect([await isLive(first), await isLive(second), await isLive(third)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await isLive(person.token)).toBe(true);
  });

  test('lets a login add one more token if no live token is from a login', async () => {
    const person = await makePerson(app, 'user');
    for (let i = 1; i < 200; i += 1) await makeToken(app, person);
    expect(await isLive(await login(person.username))).toBe(true);
    expect(await isLive(person.token)).toBe(true);
  });
});

describe('lists with `limit` and `offset`', () => {
  test('return pages of users', async () => {
    const token = app.adminToken;
    const list = async (query: string) =>
      (await request('GET', `/api/users${query}`, { token })).json as { items: { id: number }[] };
    const all = await list('');
    expect(all.items.length).toBeGreaterThan(3);
    expect(await list('?limit=2')).toEqual({ items: all.items.slice(0, 2) });
    expect(await list('?limit=2&offset=1')).toEqual({ items: all.items.slice(1, 3) });
    expect(await list('?limit=0&offset=-5')).toEqual({ items: all.items.slice(0, 1) });
    expect(await list('?limit=99999')).toEqual(all);
    expect((await request('GET', '/api/users?limit=x', { token })).status).toBe(422);
  });

  test('return pages of own tokens, and of the tokens of a user for an admin', async () => {
    const person = await makePerson(app, 'user');
    for (let i = 0; i < 3; i += 1) await makeToken(app, person);
    const own = async (query: string) => itemsOf(`/api/auth/tokens${query}`, person.token);
    const all = await own('');
    const ids = (items: { id: number }[]) => items.map((item) => item.id);
    expect(all).toHaveLength(4);
    expect(ids(await own('?limit=2&offset=1'))).toEqual(ids(all).slice(1, 3));
    expect((await own('?limit=1&include=current'))[0]).toMatchObject({ current: false });
    const path = `/api/users/${person.id}/tokens?limit=2&offset=3`;
    expect(ids(await itemsOf(path, app.adminToken))).toEqual(ids(all).slice(3));
  });
});
