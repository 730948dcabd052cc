import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabaseOf } from '../../../support/data/database-of.ts';
import { makePerson, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
beforeAll(async () => {
  app = await startTestApp({ 'trusted-proxy': '127.0.0.1' });
  request = createRequester(app.url);
});
afterAll(() => app.close());

function login(username: string, password: string, address = '192.0.2.1') {
  const headers = { 'x-forwarded-for': address };
  return request('POST', '/api/auth/login', { headers, json: { username, password } });
}

async function fail(times: number, username: string, address?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) {
    statuses.push((await login(username, `wrong-${i}`, address)).status);
  }
  return statuses;
}

describe('the limit of failed logins', () => {
  test('blocks an address after 100 failures with any names, even after a success', async () => {
    const own = '198.51.100.7';
    const { username } = await makeUser(app, 'user');
    for (let name = 0; name < 11; name += 1) {
      expect(await fail(9, `name-${name}`, own)).toEqual(Array(9).fill(401));
    }
    expect((await login(username, username, own)).status).toBe(200);
    expect(await fail(1, 'another', own)).toEqual([401]);
    const blocked = await login(username, username, own);
    expect([blocked.status, blocked.json]).toEqual([429, { detail: 'too many attempts' }]);
    expect((await login(username, username, '198.51.100.8')).status).toBe(200);
  });

  test('counts all addresses of an IPv6 /64 network together', async () => {
    const { username } = await makeUser(app, 'user');
    for (let i = 0; i < 10; i += 1) {
      expect(await fail(1, username, `2001:db8:0:1::${i}:1`)).toEqual([401]);
    }
    const of = async (address: string) => (await login(username, username, address)).status;
    expect(await of('2001:0db8::1:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await of('2001:db8:0:2::1')).toBe(200);
  });

  test('blocks a name at an address after 10 failures, even with a right password', async () => {
    const { username } = await makeUser(app, 'user');
    expect(await fail(10, username)).toEqual(Array(10).fill(401));
    const blocked = await login(username, username);
    expect([blocked.status, blocked.json]).toEqual([429, { detail: 'too many attempts' }]);
    const seconds = Number(blocked.headers['retry-after']);
    expect(seconds).toBeGreaterThan(15 * 60 - 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    // Refused attempts do not count, so the waiting time does not grow.
    await fail(5, username);
    const again = await login(username, username);
    expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(seconds);
    expect((await login(username, username, '192.0.2.2')).status).toBe(200);
    const { username: other } = await makeUser(app, 'user');
    expect((await login(other, other)).status).toBe(200);
  });

  test('starts to count failures again after a success', async () => {
    const { username } = await makeUser(app, 'user');
    expect(await fail(9, username)).toEqual(Array(9).fill(401));
    expect((await login(username, username)).status).toBe(200);
    expect(await fail(10, username)).toEqual(Array(10).fill(401));
    expect((await login(username, username)).status).toBe(429);
  });

  test('counts the failures of an unknown name, with all spellings together', async () => {
    expect(await fail(5, ' nobody ')).toEqual(Array(5).fill(401));
    expect(await fail(6, 'nobody')).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('counts attempts in progress, so that only 10 of 30 concurrent ones are tried', async () => {
    const { username } = await makeUser(app, 'user');
    const all = await Promise.all(Array.from({ length: 30 }, () => login(username, 'wrong')));
    const statuses = all.map((response) => response.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    for (const { status, headers } of all) {
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  test('counts a wrong `current` password, and clears the count for a right one', async () => {
    const { username, token } = await makePerson(app, 'user');
    const change = (current: string) => {
      const headers = { 'x-forwarded-for': '192.0.2.9' };
      const json = { current, new: username };
      return request('POST', '/api/auth/password', { token, headers, json });
    };
    expect(await fail(5, username, '192.0.2.9')).toEqual(Array(5).fill(401));
    const wrong = await change('wrong');
    expect([wrong.status, wrong.json]).toEqual([400, { detail: 'wrong password' }]);
    expect((await change(username)).status).toBe(200);
    expect(await fail(9, username, '192.0.2.9')).toEqual(Array(9).fill(401));
    expect((await change('wrong')).status).toBe(400);
    const blocked = await change(username);
    expect([blocked.status, blocked.json]).toEqual([429, { detail: 'too many attempts' }]);
    expect((await login(username, username, '192.0.2.9')).status).toBe(429);
  });
});

describe('the limit of login attempts', () => {
  test.each([
    ['IPv4', '192.0.2.33:{}'],
    ['IPv6', '[2001:db8::1]:{}'],
    ['IPv6, once without', '[2001:db8::2]'],
    ['a chain of trusted proxies', '192.0.2.34:{}, 127.0.0.1:{}'],
  ])('ignores the port that a proxy adds to an address: %s', async (_, address) => {
    const { username } = await makeUser(app, 'user');
    const statuses: number[] = [];
    for (let port = 1_234; port < 1_245; port += 1) {
      statuses.push(
        (await login(username, 'wrong', address.replaceAll('{}', String(port)))).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    // The same address without brackets and port counts as the same client.
    const [plain = ''] = address.replace(/[[\]]/g, '').split(/:\{|,/);
    expect((await login(username, username, plain)).status).toBe(429);
    expect((await login(username, username, '192.0.2.99:1')).status).toBe(200);
  });

  test('ignores X-Forwarded-For without a trusted proxy', async () => {
    const direct = await startTestApp({ 'login-failures': '2' });
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2:1', '[::3]:1']) {
      const headers = { 'x-forwarded-for': address, forwarded: `for=${address}` };
      const json = { username: 'admin', password: 'wrong' };
      statuses.push(
        (await createRequester(direct.url)('POST', '/api/auth/login', { headers, json })).status,
      );
    }
    await direct.close();
    expect(statuses).toEqual([401, 401, 429]);
  });

  test('takes the limit and its window from the settings', async () => {
    const quick = await startTestApp({ 'login-failures': '1', 'login-window-min': '1' });
    const json = { username: 'admin', password: 'wrong' };
    const tryOnce = () => createRequester(quick.url)('POST', '/api/auth/login', { json });
    expect((await tryOnce()).status).toBe(401);
    const blocked = await tryOnce();
    await quick.close();
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});

describe('failed logins in the audit', () => {
  test('are one row per name and network, with a counter', async () => {
    const started = new Date().toISOString();
    await fail(3, 'Nobody\u001b[2J', '2001:db8:9:9::1');
    await fail(2, 'Nobody\u001b[2J', '2001:db8:9:9::2');
    await fail(1, 'Nobody\u001b[2J', '203.0.113.9');
    const rows = await failures('Nobody?[2J');
    expect(rows).toMatchObject([
      { address: '203.0.113.9', target: 'login', kind: 'user', detail: { count: 1 } },
      { address: '2001:db8:9:9::/64', target: 'login', kind: 'user', detail: { count: 5 } },
    ]);
    for (const { at, detail } of rows) {
      expect(at >= started && String(detail.last_at) >= at).toBe(true);
    }
  });

  test('include a wrong current password, but neither blocked nor successful logins', async () => {
    const { username, token } = await makePerson(app, 'user');
    const json = { current: 'wrong', new: 'x' };
    expect((await request('POST', '/api/auth/password', { token, json })).status).toBe(400);
    expect((await login(username, username, '203.0.113.10')).status).toBe(200);
    await fail(12, username, '203.0.113.10');
    const counts = (await failures(username)).map(({ detail }) => detail.count);
    expect(counts).toEqual([10, 1]);
  });

  test('are removed after 90 days', async () => {
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    const entry = { at: old, actor_kind: 'user', username: 'old', address: '203.0.113.1' } as const;
    const rows = (['login.fail', 'user.create'] as const).map((action) => {
      return { ...entry, action, target: 'login', detail: '{"count":1}' };
    });
    await withDatabaseOf(app, (engine) =>
      engine.write((trx) => trx.insertInto('audit').values(rows).execute()),
    );
    await fail(1, 'new', '203.0.113.12');
    expect(await failures('new')).toHaveLength(1);
    expect(await failures('old')).toEqual([]);
    const response = await request('GET', '/api/audit?username=old', { token: app.adminToken });
    expect(response.json.items).toMatchObject([{ action: 'user.create' }]);
  });

  test('have a name that is cut at 255 bytes, between characters', async () => {
    await fail(1, 'é'.repeat(100_000), '203.0.113.11');
    expect(await failures('é'.repeat(127))).toMatchObject([{ detail: { count: 1 } }]);
  });

  /** Returns the audit rows of failed logins with a user name, newest first. */
  async function failures(username: string): Promise<FailureRow[]> {
    const path = `/api/audit?action=login.fail&username=${encodeURIComponent(username)}`;
    const { items } = (await request('GET', path, { token: app.adminToken })).json;
    return items as FailureRow[];
  }
});

describe('guesses for one name from many addresses', () => {
  /** Makes `count` login attempts with wrong passwords, 24 at a time. Returns the responses. */
  async function guess(username: string, count: number, subnet: string): Promise<TestResponse[]> {
    const responses: TestResponse[] = [];
    for (let begun = 0; begun < count; begun += 24) {
      const some = Array.from({ length: Math.min(24, count - begun) }, (_, i) =>
        login(username, 'wrong', `${subnet}.${begun + i}`),
      );
      responses.push(...(await Promise.all(some)));
    }
    return responses;
  }

  test('are tried 100 times and once a minute, but a familiar address still logs in', async () => {
    const { username } = await makeUser(app, 'user');
    const familiar = '203.0.113.40';
    expect((await login(username, username, familiar)).status).toBe(200);
    const statusAndDetail = (responses: TestResponse[]) =>
      responses.map(({ status, json }) => [status, json.detail]);
    const responses = await guess(username, 240, '198.18.0');
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(101);
    const blocked = responses.filter(({ status }) => status === 429);
    expect(blocked).toHaveLength(139);
    expect(new Set(statusAndDetail(blocked).flat())).toEqual(new Set([429, 'too many attempts']));
    for (const { headers } of blocked) {
      const seconds = Number(headers['retry-after']);
      expect(seconds > 0 && seconds <= 60).toBe(true);
    }
    // The limit also applies to the correct password, but not to a familiar address.
    expect((await login(username, username, '203.0.113.41')).status).toBe(429);
    expect((await login(username, username, familiar)).status).toBe(200);
    expect((await login(username, 'wrong', familiar)).status).toBe(401);
    const other = await makeUser(app, 'user');
    expect((await login(other.username, other.username, '203.0.113.41')).status).toBe(200);
  }, 120_000);

  test('include a wrong `current` password and logins with an unknown name', async () => {
    const { username, token } = await makePerson(app, 'user');
    const change = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      const json = { current: 'wrong', new: 'x' };
      return (await request('POST', '/api/auth/password', { token, headers, json })).status;
    };
    await addFailures(username, 99);
    expect(await change('203.0.113.51')).toBe(400);
    expect((await login(username, username, '203.0.113.52')).status).toBe(200); // this minute's try
    expect(await change('203.0.113.53')).toBe(429);
    expect((await login(username, username, '203.0.113.54')).status).toBe(429);
    await addFailures('unknown name', 100);
    const tried = await guess('unknown name', 5, '203.0.113');
    expect(tried.map(({ status }) => status).toSorted()).toEqual([401, 429, 429, 429, 429]);
  });

  /** Records failed attempts, each from a different address. */
  const addFailures = (username: string, count: number) =>
    withDatabaseOf(app, (engine) =>
      engine.write(async (trx) => {
        const account = createHash('sha256').update(username).digest('hex');
        const rows = Array.from({ length: count }, (_, i) => ({
          network: `198.51.100.${i}`,
          account,
          at: trx.dialect.now,
          failed: true,
        }));
        await trx.insertInto('login_try').values(rows).execute();
      }),
    );
});

interface FailureRow {
  readonly at: string;
  readonly address: string;
  readonly detail: { readonly count: number; readonly last_at: string };
}
