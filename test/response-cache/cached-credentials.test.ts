import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Credential } from '../../src/core/accounts/account.ts';
import type { PartRevision } from '../../src/core/shared/requests/part-revision.ts';
import { CredentialCache } from '../../src/sql/accounts/credential-cache.ts';
import { makePerson } from '../support/data/people.ts';
import { constantRevision } from '../support/data/revisions.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { createRequester, type Requester } from '../support/http/requester.ts';
import { neverTheSame, startOtherProcess } from './servers.ts';

let app: TestApp;
let request: Requester;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  other = await startOtherProcess(app.data, app.database);
});
afterAll(async () => {
  await other.stop();
  await app.close();
});
const actor = { kind: 'system' } as const;
const me = async (token: string) => {
  const { status, json } = await request('GET', '/api/auth/me', { token });
  return [status, json.role];
};

describe('the cache of credentials', () => {
  test.each<['this process' | 'another process']>([['this process'], ['another process']])(
    'applies a change made by %s to a user or token from the next request on',
    async (by) => {
      const { id, token } = await makePerson(app, 'user');
      const { accounts } = app.catalog;
      const change = (changed: object) =>
        by === 'this process'
          ? accounts.updateUser(id, changed, actor)
          : other.work({ user: id, change: changed });
      for (const [changed, expected] of [
        [{}, [200, 'user']],
        [{ role: 'editor' }, [200, 'editor']],
        [{ isActive: false }, [401, undefined]],
        [{ isActive: true }, [200, 'editor']],
        [{ role: 'user' }, [200, 'user']],
        [{ revokeTokens: true }, [401, undefined]],
      ] as const) {
        await change(changed);
        for (let turn = 0; turn < 3; turn += 1) expect(await me(token)).toEqual(expected);
      }
      const next = await accounts.issueToken(await accounts.getUser(id), 'x', 0, actor);
      expect(await me(next.value)).toEqual([200, 'user']);
      if (by === 'this process') await accounts.revokeToken(id, next.id, actor);
      else await other.work({ user: id, token: next.id });
      expect(await me(next.value)).toEqual([401, undefined]);
    },
  );

  test('finds a token that is created after a lookup of it failed', async () => {
    const cached = new CredentialCache(constantRevision, find);
    expect(await cached.find('new')).toBeNull();
    known.set('new', credential('new', 1));
    expect((await cached.find('new'))?.token.id).toBe(1);
  });

  const known = new Map<string, Credential>();
  let lookups = 0;
  const find = async (hash: string) => {
    lookups += 1;
    return known.get(hash) ?? null;
  };

  function credential(hash: string, id: number): Credential {
    return { user: { id: 1 }, token: { id, label: hash, lastUsedAt: null } } as Credential;
  }

  test('looks a credential up once per revision', async () => {
    known.set('a', credential('old', 7));
    let revision = 1;
    const moving: PartRevision = {
      requiresQuery: false,
      known: () => revision,
      current: async () => revision,
    };
    const [fixed, cached, never] = [
      new CredentialCache(constantRevision, find),
      new CredentialCache(moving, find),
      new CredentialCache(neverTheSame(), find),
    ];
    const labels = async () =>
      Promise.all([fixed, cached, never].map(async (each) => (await each.find('a'))?.token.label));
    expect(await labels()).toEqual(['old', 'old', 'old']);
    lookups = 0;
    await labels();
    expect(lookups).toBe(1);
    known.set('a', credential('new', 7));
    revision = 2;
    expect(await labels()).toEqual(['old', 'new', 'new']);
  });

  test('records the use of a cached credential without reading it again', async () => {
    known.set('b', credential('b', 9));
    const cached = new CredentialCache(constantRevision, find);
    await cached.find('b');
    cached.recordUse(9, '2026-11-22T00:00:00.000Z');
    lookups = 0;
    expect((await cached.find('b'))?.token.lastUsedAt).toBe('2026-11-22T00:00:00.000Z');
    expect(lookups).toBe(0);
  });

  test('keeps the most recently requested credentials', async () => {
    const cached = new CredentialCache(constantRevision, async (hash) =>
      find(hash).then(() => credential(hash, 1)),
    );
    for (let index = 0; index < 1_500; index += 1) {
      await cached.find(`${index}`);
      await cached.find('0');
    }
    lookups = 0;
    for (const hash of ['0', '1499', '600']) await cached.find(hash);
    expect(lookups).toBe(0);
    await cached.find('1');
    expect(lookups).toBe(1);
  });
});
