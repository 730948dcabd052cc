import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let account: TestApp;
let minimal: MinimalApp;
let request: Requester;
let requestAccount: Requester;
const token = () => account.adminToken;

beforeAll(async () => {
  account = await startTestApp();
  minimal = await startMinimalApp({ existing: account });
  request = createRequester(minimal.url);
  requestAccount = createRequester(account.url);
});
afterAll(async () => {
  await minimal.close();
  await account.close();
});

describe('the minimal API next to the account API', () => {
  test('shows the writes of the account server with the next request', async () => {
    expect((await request('GET', '/api/summary')).json).toEqual({ systems: [] });
    await importGames(account, ['One', 'Two']);
    expect((await request('GET', '/api/summary')).json.systems).toMatchObject([{ releases: 2 }]);
    const [{ id } = { id: 0 }] = (await request('GET', '/api/releases')).json.items as {
      id: number;
    }[];

    for (let round = 0; round < 20; round += 1) {
      const json = { name: `Renamed ${round}`, serial: `S-${round}` };
      await requestAccount('PATCH', `/api/releases/${id}`, { token: token(), json });
      expect((await request('GET', `/api/releases/${id}`)).json).toMatchObject(json);
      const { items } = (await request('GET', `/api/releases?q=renamed%20${round}&limit=-1`)).json;
      expect(items).toMatchObject([{ id, ...json }]);

      const form = { bytes: `bytes ${round}`, filename: 'a.zip' };
      await requestAccount('POST', '/api/store/upload', { token: token(), form });
      expect((await request('GET', '/api/store/download/a.zip')).text).toBe(form.bytes);
      expect((await request('GET', '/api/store')).json).toMatchObject({ count: 1 });

      await requestAccount('POST', `/api/cover/${id}`, { token: token(), form });
      expect((await request('GET', `/api/cover/${id}`)).text).toBe(form.bytes);
    }

    await requestAccount('DELETE', `/api/cover/${id}`, { token: token() });
    expect((await request('GET', `/api/cover/${id}`)).json).toEqual({
      error: 'no cover available',
    });
    await requestAccount('DELETE', '/api/store/games/a.zip', { token: token() });
    expect((await request('GET', '/api/store')).json).toEqual({ items: [], count: 0 });
  });

  test("counts a download in the account server's statistics, without a user", async () => {
    const form = { bytes: 'x', filename: 'b.zip' };
    await requestAccount('POST', '/api/store/upload', { token: token(), form });
    await request('GET', '/api/store/download/b.zip');
    await minimal.catalog.stats.get(); // flushes deferred writes
    const stats = await requestAccount('GET', '/api/stats', { token: token() });
    expect((stats.json.recent as object[])[0]).toMatchObject({ name: 'b.zip', username: null });
  });

  test('accepts no account token, and the account server accepts no shared token', async () => {
    const locked = await startMinimalApp({
      existing: account,
      env: { CATALOG_API_TOKEN: 'shared' },
    });
    const requestLocked = createRequester(locked.url);
    expect((await requestLocked('GET', '/api/store', { token: token() })).status).toBe(401);
    expect((await requestLocked('GET', '/api/store', { token: 'shared' })).status).toBe(200);
    expect((await requestAccount('GET', '/api/auth/me', { token: 'shared' })).status).toBe(401);
    await locked.close();
  });

  test('sends a whole long list while the account server writes', async () => {
    await importGames(
      account,
      Array.from({ length: 1_500 }, (_, i) => `Many ${i}`),
      'Test - Many',
    );
    const [list] = await Promise.all([
      request('GET', '/api/releases?limit=-1&q=many'),
      ...Array.from({ length: 10 }, (_, i) =>
        requestAccount('PATCH', '/api/releases/1', { token: token(), json: { serial: `X-${i}` } }),
      ),
    ]);
    expect(list.json.items).toHaveLength(1_500);
  });
});
