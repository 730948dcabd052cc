import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
const stats = async () => (await request('GET', '/api/stats', { token: app.adminToken })).json;

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('endpoint 20, GET /stats', () => {
  test('returns exactly the documented fields for an empty catalogue', async () => {
    const empty = { systems: [], users: 1, covers: 0, downloads: 0, recent: [] };
    expect(await stats()).toEqual(empty);
    await rm(join(app.data, 'covers'), { recursive: true });
    expect(await stats()).toEqual(empty);
  });

  test('counts the releases of each system, in code point order of systems', async () => {
    await importGames(app, ['a', 'b', 'c'], 'P - Games', 'games');
    await importGames(app, ['a'], 'P - Videos', 'videos');
    await importGames(app, ['a', 'b'], 'P - Other', 'Arcade');
    await importGames(app, ['a'], 'P - Wide', '\uFF5A');
    await importGames(app, ['a'], 'P - Smile', '\u{1F600}');
    expect((await stats()).systems).toEqual([
      { system: 'Arcade', releases: 2 },
      { system: 'games', releases: 3 },
      { system: 'videos', releases: 1 },
      { system: '\uFF5A', releases: 1 },
      { system: '\u{1F600}', releases: 1 },
    ]);
  });

  test('counts active and inactive users, and every file in the tree of covers', async () => {
    const person = await makePerson(app, 'user');
    await app.catalog.accounts.updateUser(person.id, { isActive: false }, { kind: 'system' });
    await mkdir(join(app.data, 'covers', 'deep', 'er'), { recursive: true });
    for (const name of ['1.png', 'x.zip', '.hidden', 'deep/1.jpg', 'deep/er/y']) {
      await writeFile(join(app.data, 'covers', name), '');
    }
    expect(await stats()).toMatchObject({ users: 2, covers: 5 });
  });

  test('lists the 20 newest downloads, newest first, with null for a deleted user', async () => {
    const folder = join(app.data, 'store', 'videos');
    await mkdir(folder, { recursive: true });
    const [remainingUser, deletedUser] = [
      await makePerson(app, 'user'),
      await makePerson(app, 'user'),
    ];
    for (let i = 0; i < 25; i += 1) {
      await writeFile(join(folder, `v${i}`), 'x'.repeat(i));
      const { token } = i % 2 === 0 ? remainingUser : deletedUser;
      await request('GET', `/api/store/download/videos/v${i}`, { token });
    }
    await request('DELETE', `/api/users/${deletedUser.id}`, { token: app.adminToken });
    const { recent, downloads } = await stats();
    expect(downloads).toBe(25);
    const events = recent as { created_at: string }[];
    const times = events.map((event) => event.created_at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(events).toEqual(
      Array.from({ length: 20 }, (_, k) => 24 - k).map((i) => ({
        system: 'videos',
        name: `v${i}`,
        bytes: i,
        created_at: expect.any(String),
        username: i % 2 === 0 ? remainingUser.username : null,
      })),
    );
  });

  test('lists a download of any system other than videos as one of games', async () => {
    await mkdir(join(app.data, 'store', 'games'), { recursive: true });
    await writeFile(join(app.data, 'store', 'games', 'g'), 'abc');
    await request('GET', '/api/store/download/Videos/g', { token: app.adminToken });
    const [newest] = (await stats()).recent as object[];
    expect(newest).toMatchObject({ system: 'games', name: 'g', bytes: 3, username: 'admin' });
  });
});

describe('the account API', () => {
  test('responds to a health check with 200 {"status": "ok"}', async () => {
    const response = await request('GET', '/api/health');
    expect([response.status, response.json]).toEqual([200, { status: 'ok' }]);
  });
});
