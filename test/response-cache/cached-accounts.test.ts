import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../src/core/accounts/account.ts';
import type { PartRevision } from '../../src/core/shared/requests/part-revision.ts';
import { roles } from '../../src/core/shared/requests/role.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { makePerson, makeUser } from '../support/data/people.ts';
import { constantRevision } from '../support/data/revisions.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { startWithAccounts } from './own-accounts.ts';
import { fetchResponse, neverTheSame, startOtherProcess } from './servers.ts';

type Server = Awaited<ReturnType<typeof startWithAccounts>>;
type Person = User & { readonly token: string };

let app: TestApp;
let plain: Server;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
beforeAll(async () => {
  app = await startTestApp();
  plain = await startWithAccounts(app, neverTheSame);
  other = await startOtherProcess(app.data, app.database);
});
afterAll(async () => {
  await other.stop();
  await plain.close();
  await app.close();
});

const actor = { kind: 'system' } as const;
const present = (engine: Engine) => new PartRevisions(engine).of('accounts');
const me = (server: Server, token: string) =>
  fetchResponse(`${server.url}/api/auth/me`, { authorization: `Bearer ${token}` });

/**
 * Throws if a response differs from the response of a server without a cache. Compares the first
 * and a repeated request.
 */
async function compare(cached: Server, people: readonly Person[]): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const responses = people.map(async ({ username, token }) => {
      const all = await Promise.all([0, 1, 2].map(() => me(cached, token)));
      const expected = await me(plain, token);
      for (const response of all) expect(response, username).toEqual(expected);
    });
    await Promise.all(responses);
  }
}

describe('the cache of accounts', () => {
  test('returns the same account as the database after any change by any process', async () => {
    const cached = await startWithAccounts(app, present);
    const { accounts } = app.catalog;
    const people = [
      await makePerson(app, 'user'),
      await makePerson(app, 'editor'),
      await makePerson(app, 'admin'),
    ] as const;
    const [one, two, three] = people;
    const login = { username: two.username, password: two.username, kind: 'api' } as const;
    const revoked = await accounts.issueToken(three, 'x', 0, actor);
    const all = [...people, { ...three, token: revoked.value }];
    const changes: (() => Promise<unknown>)[] = [
      () => accounts.updateUser(one.id, { role: 'editor' }, actor),
      () => other.work({ user: two.id, change: { role: 'user' } }),
      () => accounts.login(login, '127.0.0.1'), // the response contains the time of the last login
      () => other.work({ user: one.id, change: { isActive: false } }),
      () => accounts.updateUser(one.id, { isActive: true }, actor),
      () => accounts.updateUser(two.id, { password: 'another' }, actor),
      () => other.work({ user: three.id, token: revoked.id }),
      () => accounts.authenticate(app.adminToken), // the use of the token may be recorded
      () => accounts.logout(two.token, '127.0.0.1'),
      () => other.work({ user: three.id, change: { revokeTokens: true } }),
      () => accounts.deleteUser(one.id, actor),
    ];
    try {
      await compare(cached, all);
      for (const change of changes) {
        await change();
        await compare(cached, all);
      }
      for (const { token } of all) expect((await me(cached, token)).status).toBe(401);
    } finally {
      await cached.close();
    }
  });

  /**
   * Returns the number of stale responses. A response is stale if its role is older than the last
   * role that was acknowledged before the request.
   */
  async function staleResponses(cached: Server): Promise<number> {
    const people = await Promise.all([0, 1, 2].map(() => makePerson(app, 'user')));
    const writes = 40;
    const roleAt = (number: number) => roles[number % roles.length];
    let [begun, acknowledged, stale] = [2, 2, 0]; // roles[2] is the current role
    const write = async () => {
      for (let number = 3; number < 3 + writes; number += 1) {
        begun = number;
        const change = { role: roleAt(number) };
        for (const { id } of people) {
          if (number % 2 === 0) await other.work({ user: id, change });
          else await app.catalog.accounts.updateUser(id, change, actor);
        }
        acknowledged = number;
        for (let round = 0; round < 3; round += 1) await me(cached, people[0]?.token ?? '');
      }
    };
    const read = async ({ token }: Person) => {
      while (acknowledged < 2 + writes) {
        const least = acknowledged;
        const { role } = JSON.parse((await me(cached, token)).body);
        const shown = Array.from({ length: begun - least + 1 }, (_, index) =>
          roleAt(least + index),
        );
        if (!shown.includes(role)) stale += 1;
      }
    };
    await Promise.all([write(), ...[...people, ...people].map(read)]);
    return stale;
  }

  test('shows acknowledged changes to every later request while two processes write', async () => {
    const cached = await startWithAccounts(app, present);
    try {
      expect(await staleResponses(cached)).toBe(0);
    } finally {
      await cached.close();
    }
  });

  const stale = 'notices stale responses after a planted fault: %s';
  test.each<[string, (engine: Engine) => PartRevision]>([
    ['a revision that never changes', () => constantRevision],
    [
      'a commit counter that never changes',
      ({ read }) => new PartRevisions({ commits: () => 1, read }).of('accounts'),
    ],
  ])(stale, { tags: ['full'] }, expectStale);

  async function expectStale(
    _fault: string,
    revisionOf: (engine: Engine) => PartRevision,
  ): Promise<void> {
    const cached = await startWithAccounts(app, revisionOf);
    try {
      expect(await staleResponses(cached)).toBeGreaterThan(0);
      const person = await makePerson(app, 'user');
      await compare(cached, [person]);
      await other.work({ user: person.id, change: { role: 'editor' } });
      await expect(compare(cached, [person])).rejects.toThrow();
    } finally {
      await cached.close();
    }
  }

  test('expires a token and records its use while its credential is cached', async () => {
    let now = Date.parse('2030-01-01T00:00:00.000Z');
    const clock = {
      now: () => now,
      timestamp: () => new Date(now).toISOString(),
      monotonic: () => performance.now(),
    };
    const server = await startWithAccounts(
      app,
      (engine) => new PartRevisions(engine).of('accounts'),
      { clock },
    );
    try {
      const user = await makeUser(app, 'user');
      const { value } = await server.accounts.issueToken(user, 'x', 1, { kind: 'system' });
      const status = async () =>
        (await fetchResponse(`${server.url}/api/auth/me`, { authorization: `Bearer ${value}` }))
          .status;
      const lastUse = async () => (await server.accounts.listTokens(user.id))[0]?.lastUsedAt;
      for (let turn = 0; turn < 3; turn += 1) expect(await status()).toBe(200);
      expect(await lastUse()).toBe('2030-01-01T00:00:00.000Z');
      now += 59_000;
      for (let turn = 0; turn < 3; turn += 1) expect(await status()).toBe(200);
      expect(await lastUse()).toBe('2030-01-01T00:00:00.000Z');
      now += 2_000;
      expect(await status()).toBe(200);
      expect(await lastUse()).toBe('2030-01-01T00:01:01.000Z');
      now += 86_400_000 - 61_001;
      for (let turn = 0; turn < 3; turn += 1) expect(await status()).toBe(200);
      now += 1;
      expect(await status()).toBe(401);
    } finally {
      await server.close();
    }
  });
});
