import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let account: TestApp;
let minimal: MinimalApp;
let ask: Requester;
let askAccount: Requester;
const token = () => account.adminToken;

beforeAll(async () => {
  account = await startTestApp();
  minimal = await startMinimalApp({ existing: account });
  ask = createRequester(minimal.url);
  askAccount = createRequester(account.url);
});
afterAll(async () => {
  await minimal.close();
  await account.close();
});

describe('the minimal API next to the account API', () => {
  test('shows the writes of the account server with the next request', async () => {
    expect((await ask('GET', '/api/summary')).json).toEqual({ systems: [] });
    await importGames(account, ['One', 'Two']);
    expect((await ask('GET', '/api/summary')).json.systems).toMatchObject([{ releases: 2 }]);
    const [{ id } = { id: 0 }] = (await ask('GET', '/api/releases')).json.items as { id: number }[];

    for (let round = 0; round < 20; round += 1) {
      const json = { name: `Renamed ${round}`, serial: `S-${round}` };
      await askAccount('PATCH', `/api/releases/${id}`, { token: token(), json });
      expect((await ask('GET', `/api/releases/${id}`)).json).toMatchObject(json);
      const { items } = (await ask('GET', `/api/releases?q=renamed%20${round}&limit=-1`)).json;
      expect(items).toMatchObject([{ id, ...json }]);

      const form = { bytes: `bytes ${round}`, filename: 'a.zip' };
      await askAccount('POST', '/api/store/upload', { token: token(), form });
      expect((await ask('GET', '/api/store/download/a.zip')).text).toBe(form.bytes);
      expect((await ask('GET', '/api/store')).json).toMatchObject({ count: 1 });

      await askAccount('POST', `/api/cover/${id}`, { token: token(), form });
      expect((await ask('GET', `/api/cover/${id}`)).text).toBe(form.bytes);
    }

    await askAccount('DELETE', `/api/cover/${id}`, { token: token() });
    expect((await ask('GET', `/api/cover/${id}`)).json).toEqual({ error: 'no cover available' });
    await askAccount('DELETE', '/api/store/games/a.zip', { token: token() });
    expect((await ask('GET', '/api/store')).json).toEqual({ items: [], count: 0 });
  });

  test("counts a download in the account server's statistics, without a user", async () => {
    const form = { bytes: 'x', filename: 'b.zip' };
    await askAccount('POST', '/api/store/upload', { token: token(), form });
    await ask('GET', '/api/store/download/b.zip');
    await minimal.catalog.stats.get(); // flushes deferred writes
    const stats = await askAccount('GET', '/api/stats', { token: token() });
    expect((stats.json.recent as object[])[0]).toMatchObject({ name: 'b.zip', username: null });
  });

  test('accepts no account token, and the account server accepts no shared token', async () => {
    const locked = await startMinimalApp({
      existing: account,
      env: { CATALOG_API_TOKEN: 'shared' },
    });
    const askLocked = createRequester(locked.url);
    expect((await askLocked('GET', '/api/store', { token: token() })).status).toBe(401);
    expect((await askLocked('GET', '/api/store', { token: 'shared' })).status).toBe(200);
    expect((await askAccount('GET', '/api/auth/me', { token: 'shared' })).status).toBe(401);
    await locked.close();
  });

  test('continues a long list while the account server writes', async () => {
    await importGames(
      account,
      Array.from({ length: 1_500 }, (_, i) => `Many ${i}`),
      'Test - Many',
    );
    const [list] = await Promise.all([
      ask('GET', '/api/releases?limit=-1&q=many'),
      ...Array.from({ length: 10 }, (_, i) =>
        askAccount('PATCH', '/api/releases/1', { token: token(), json: { serial: `X-${i}` } }),
      ),
    ]);
    expect(list.json.items).toHaveLength(1_500);
  });
});
