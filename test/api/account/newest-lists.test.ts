import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../src/core/accounts/account.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let ann: User & { token: string };
let bob: User & { token: string };
let editor: User & { token: string };

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  [ann, bob, editor] = [
    await makePerson(app, 'user'),
    await makePerson(app, 'user'),
    await makePerson(app, 'editor'),
  ];
  const folder = join(app.data, 'store', 'games');
  await mkdir(folder, { recursive: true });
  for (const name of ['a.zip', 'b ü.zip']) {
    await writeFile(join(folder, name), name);
    for (const { token } of [ann, bob]) {
      await request('GET', `/api/store/download/games/${encodeURIComponent(name)}`, { token });
    }
  }
});
afterAll(() => app.close());

type Row = Record<string, unknown>;
async function items(path: string, token = app.adminToken): Promise<Row[]> {
  const { status, json } = await request('GET', path, { token });
  expect([path, status]).toEqual([path, 200]);
  return json.items as Row[];
}
const names = async (path: string, token?: string) =>
  (await items(path, token)).map(({ username, name }) => `${username} ${name}`);

describe('GET /downloads', () => {
  test('lists the downloads of all users, newest first', async () => {
    const all = await items('/api/downloads');
    expect(all.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    expect(all[0]).toEqual({
      id: 4,
      created_at: expect.stringMatching(/Z$/),
      username: bob.username,
      kind: 'archive',
      system: 'games',
      name: 'b ü.zip',
      bytes: 8,
    });
  });

  test('filters by the exact user name and the exact file name', async () => {
    const [a, b] = [ann.username, bob.username];
    expect(await names(`/api/downloads?username=${a}`)).toEqual([`${a} b ü.zip`, `${a} a.zip`]);
    expect(await names('/api/downloads?name=a.zip')).toEqual([`${b} a.zip`, `${a} a.zip`]);
    expect(await names(`/api/downloads?name=a.zip&username=${a}`)).toEqual([`${a} a.zip`]);
    expect(await names('/api/downloads?username=nobody')).toEqual([]);
    expect(await names('/api/downloads?name=a')).toEqual([]);
  });

  test("lists only the user's own downloads at /auth/downloads", async () => {
    const own = [`${ann.username} b ü.zip`, `${ann.username} a.zip`];
    expect(await names('/api/auth/downloads', ann.token)).toEqual(own);
    expect(await names(`/api/auth/downloads?username=${bob.username}`, ann.token)).toEqual(own);
    expect(await names('/api/auth/downloads?name=a.zip', ann.token)).toEqual([own[1]]);
    expect(await names('/api/auth/downloads')).toEqual([]);
  });

  test('keeps the downloads of a deleted user, without a user name', async () => {
    await request('DELETE', `/api/users/${bob.id}`, { token: app.adminToken });
    expect((await items('/api/downloads')).map(({ username }) => username)).toEqual([
      null,
      ann.username,
      null,
      ann.username,
    ]);
    expect(await items(`/api/downloads?username=${bob.username}`)).toEqual([]);
  });
});

describe('GET /audit', () => {
  test('lists the newest action first, with its user, target and detail', async () => {
    const [newest] = await items('/api/audit');
    expect(newest).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      kind: 'user',
      username: 'admin',
      address: '127.0.0.1',
      action: 'user.delete',
      target: `user/${bob.id}`,
      detail: { username: bob.username },
    });
  });

  test('filters by action, user and target', async () => {
    const created = await items('/api/audit?action=user.create');
    expect(created).toHaveLength(4);
    expect(new Set(created.map(({ kind }) => kind))).toEqual(new Set(['system']));
    expect(created[0]).toMatchObject({ username: null, address: null });
    const ofBob = await items(`/api/audit?target=user/${bob.id}`);
    expect(ofBob.map(({ action }) => action)).toEqual(['user.delete', 'user.create']);
    expect(await items(`/api/audit?target=user/${bob.id}&username=admin`)).toHaveLength(1);
    expect(await items('/api/audit?username=admin&action=user.create')).toEqual([]);
  });
});

describe.each(['/api/audit', '/api/downloads', '/api/auth/downloads'])('%s', (path) => {
  test('pages by `before`, and clamps `limit`', async () => {
    const token = path.includes('auth') ? ann.token : app.adminToken;
    const all = await items(path, token);
    expect(await items(`${path}?limit=0`, token)).toEqual(all.slice(0, 1));
    expect(await items(`${path}?limit=9999`, token)).toEqual(all);
    expect(await items(`${path}?before=${all[0]?.id}`, token)).toEqual(all.slice(1));
    expect(await items(`${path}?before=-1`, token)).toEqual([]);
    for (const wrong of ['limit=x', 'before=', 'before=1.5']) {
      const { status, json } = await request('GET', `${path}?${wrong}`, { token });
      expect([wrong, status, json.detail]).toEqual([wrong, 422, expect.stringMatching(/^\w+: /)]);
    }
  });

  test('requires a user, and an admin unless it lists the own downloads', async () => {
    expect((await request('GET', path)).status).toBe(401);
    const expected = path.includes('auth') ? 200 : 403;
    expect((await request('GET', path, { token: editor.token })).status).toBe(expected);
  });
});
