import { describe, expect, test } from 'vitest';
import type { LoginTry } from '../../src/core/accounts/ports.ts';
import { SqlAccountRecords } from '../../src/sql/accounts/account-records.ts';
import { SqlLoginTries } from '../../src/sql/accounts/login-tries.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { describeEngines } from './fixtures/engines.ts';
import { steppingClock, useEngine } from './fixtures/use-engine.ts';

const attempt: LoginTry = {
  name: 'name',
  network: '192.0.2.1',
  windowMs: 60_000,
  maxPerName: 3,
  maxPerNetwork: 5,
};
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const monthMs = 30 * 24 * hourMs;

describeEngines('$name: the limit of login tries', ({ open }) => {
  async function useTries() {
    const engine = await useEngine(open);
    const deferredWrites = new DeferredWrites(engine, () => undefined);
    const tries = new SqlLoginTries({ engine, deferredWrites });
    const begin = async (change: Partial<LoginTry> = {}) => {
      const begun = await tries.begin({ ...attempt, ...change });
      return 'id' in begun ? begun.id : null;
    };
    const fail = async (change: Partial<LoginTry> = {}) => {
      const id = await begin(change);
      if (id !== null) tries.recordFailure(id);
      await deferredWrites.flush();
      return id !== null;
    };
    /** Changes the time of every counted try by `ms` milliseconds. */
    const shift = (ms: number) =>
      engine.write(async (trx) => {
        await trx
          .updateTable('login_try')
          .set((row) => ({ at: row('at', '+', ms) }))
          .execute();
      });
    /** Changes the times of familiar networks and of metered tries by `ms` milliseconds. */
    const shiftOthers = (ms: number) =>
      engine.write(async (trx) => {
        for (const table of ['familiar_network', 'metered_try'] as const) {
          await trx
            .updateTable(table)
            .set((row) => ({ at: row('at', '+', ms) }))
            .execute();
        }
      });
    /**
     * Begins `count` tries, each from a different network, 24 at a time, because the last of a
     * hundred could wait too long on a busy machine. Returns the ids of the allowed tries.
     */
    const beginFrom = async (subnet: string, count: number, change: Partial<LoginTry> = {}) => {
      const networks = Array.from({ length: count }, (_, i) => `${subnet}.${i}`);
      const ids: (number | null)[] = [];
      for (let at = 0; at < count; at += 24) {
        const some = networks.slice(at, at + 24);
        ids.push(...(await Promise.all(some.map((network) => begin({ ...change, network })))));
      }
      return ids.filter((id) => id !== null);
    };
    const failHundred = async (change: Partial<LoginTry> = {}) => {
      const ids = await beginFrom('198.51.100', 100, change);
      for (const id of ids) tries.recordFailure(id);
      await deferredWrites.flush();
      expect(ids).toHaveLength(100);
    };
    const accounts = new SqlAccountRecords({
      engine,
      deferredWrites,
      clock: steppingClock(),
      revision: new PartRevisions(engine).of('accounts'),
    });
    /** Makes a login that succeeds if it is allowed. Resolves to true if it was allowed. */
    const logIn = async (network: string) => {
      const tryId = await begin({ network });
      if (tryId === null) return false;
      const [known] = await accounts.listUsers();
      const name = { username: attempt.name, passwordHash: '', role: 'user' as const };
      const { id: userId } = known ?? (await accounts.createUser(name, { kind: 'system' }));
      const hash = `hash ${tryId}`;
      const token = {
        userId,
        hash,
        label: '',
        kind: 'api',
        createdAt: '',
        expiresAt: null,
      } as const;
      await accounts.createToken(token, { kind: 'system' }, { tryId, passwordHash: '' });
      return true;
    };
    const rowsOf = (table: 'login_try' | 'familiar_network' | 'metered_try') =>
      engine.read.selectFrom(table).selectAll().execute();
    return { tries, begin, fail, shift, shiftOthers, beginFrom, failHundred, logIn, rowsOf };
  }

  test('counts failures and open tries exactly, however many arrive at once', async () => {
    const { tries, begin, fail } = await useTries();
    expect(await fail()).toBe(true);
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(ids.filter((id) => id !== null)).toHaveLength(2);
    const [some = 0] = ids.filter((id) => id !== null);
    await tries.forget(some);
    expect(await begin()).not.toBeNull();
    expect(await begin()).toBeNull();
  });

  test('returns when the oldest failure of a blocked try expires, or 0 without one', async () => {
    const { tries, begin, fail } = await useTries();
    const under = { name: 'under way' };
    for (let i = 0; i < 3; i += 1) await begin(under);
    expect(await tries.begin({ ...attempt, ...under })).toEqual({ freeInMs: 0 });
    for (let i = 0; i < 3; i += 1) await fail({ network: '192.0.2.2' });
    const blocked = await tries.begin({ ...attempt, network: '192.0.2.2' });
    if (!('freeInMs' in blocked)) throw new Error('it is not blocked');
    expect(blocked.freeInMs).toBeGreaterThan(0);
    expect(blocked.freeInMs).toBeLessThanOrEqual(60_000);
  });

  test('forgets failures of a name after a success, but not those of its network', async () => {
    const { tries, begin, fail } = await useTries();
    await fail();
    await fail();
    await fail({ network: '192.0.2.2' });
    const id = (await begin()) ?? 0;
    await tries.clear(id);
    for (let i = 0; i < 3; i += 1) expect(await fail()).toBe(true);
    expect(await fail()).toBe(false);
    expect(await fail({ name: 'other' })).toBe(false);
    expect(await fail({ network: '192.0.2.2' })).toBe(true);
  });

  test.each([60_000, -60_000])('ignores tries beyond %i ms from now', async (ms) => {
    const { fail, shift } = await useTries();
    for (let i = 0; i < 3; i += 1) await fail();
    expect(await fail()).toBe(false);
    await shift(ms + Math.sign(ms) * 10_000);
    expect(await fail()).toBe(true);
  });

  test.each([hourMs, -hourMs])('removes tries beyond %i ms from now', async (ms) => {
    const { fail, shift, rowsOf } = await useTries();
    for (let i = 0; i < 3; i += 1) await fail();
    await shift(ms + Math.sign(ms) * 10_000);
    expect(await fail()).toBe(true);
    expect(await rowsOf('login_try')).toHaveLength(1);
  });

  describe('a name with 100 failures in an hour', () => {
    test('allows all unfamiliar networks one try a minute together, even at once', async () => {
      const { tries, beginFrom, failHundred, shiftOthers } = await useTries();
      await failHundred();
      expect(await beginFrom('203.0.113', 20)).toHaveLength(1);
      const blocked = await tries.begin({ ...attempt, network: '203.0.113.99' });
      if (!('freeInMs' in blocked)) throw new Error('it is not blocked');
      expect(blocked.freeInMs).toBeGreaterThan(0);
      expect(blocked.freeInMs).toBeLessThanOrEqual(minuteMs);
      expect(await beginFrom('203.0.113', 1, { name: 'another' })).toHaveLength(1);
      await shiftOthers(-minuteMs);
      expect(await beginFrom('192.0.2', 20)).toHaveLength(1);
    });

    test('is limited in the same way if its tries are still open', async () => {
      const { beginFrom } = await useTries();
      expect(await beginFrom('198.51.100', 120)).toHaveLength(101);
    });

    test('loses the try of a minute to a failure or success, not to an undecided try', async () => {
      const { tries, beginFrom, failHundred, logIn, shiftOthers } = await useTries();
      await failHundred();
      const [undecided = 0] = await beginFrom('203.0.113', 2);
      await tries.forget(undecided);
      const [wrong = 0] = await beginFrom('203.0.113', 2);
      tries.recordFailure(wrong);
      expect(await beginFrom('203.0.113', 2)).toEqual([]);
      await shiftOthers(-minuteMs);
      expect(await logIn('192.0.2.1')).toBe(true);
      expect(await beginFrom('203.0.113', 2)).toEqual([]);
    });

    test('allows tries from a network with a login within the last 30 days', async () => {
      const { tries, begin, failHundred, logIn, shiftOthers } = await useTries();
      const familiar = { network: '192.0.2.1' };
      await logIn('192.0.2.1');
      await failHundred();
      expect(await begin({ network: '192.0.2.2' })).not.toBeNull(); // uses the one try per minute
      const under = [await begin(familiar), await begin(familiar), await begin(familiar)];
      expect(under).not.toContain(null);
      expect(await begin(familiar)).toBeNull(); // the normal limit of three tries
      for (const id of under) await tries.forget(id ?? 0);
      await shiftOthers(10_000 - monthMs);
      expect(await begin({ network: '192.0.2.3' })).not.toBeNull();
      expect(await begin(familiar)).not.toBeNull();
      await shiftOthers(-20_000);
      expect(await begin({ network: '192.0.2.4' })).toBeNull();
      expect(await begin(familiar)).toBeNull();
    });

    test('does not make a network familiar by a correct password without a login', async () => {
      const { tries, begin, failHundred } = await useTries();
      await tries.clear((await begin()) ?? 0);
      await failHundred();
      expect(await begin({ network: '203.0.113.1' })).not.toBeNull();
      expect(await begin()).toBeNull();
    });

    test('no longer counts the failures from a network after a success from it', async () => {
      const { tries, begin, beginFrom, failHundred } = await useTries();
      await failHundred();
      const [id = 0] = await beginFrom('198.51.100', 1);
      await tries.clear(id);
      expect(await begin({ network: '203.0.113.1' })).not.toBeNull();
      expect(await begin({ network: '203.0.113.2' })).toBeNull(); // the first try counts
    });

    test('is no longer limited after an hour', async () => {
      const { beginFrom, failHundred, shift } = await useTries();
      await failHundred();
      await shift(-hourMs);
      expect(await beginFrom('203.0.113', 5)).toHaveLength(5);
    });

    test('does not keep records of tries and networks that no longer count', async () => {
      const { beginFrom, failHundred, logIn, shift, shiftOthers, rowsOf } = await useTries();
      await logIn('192.0.2.1');
      await failHundred();
      await beginFrom('203.0.113', 1);
      expect(await rowsOf('metered_try')).toHaveLength(1);
      await failHundred({ name: 'another' });
      await shiftOthers(-monthMs);
      await beginFrom('203.0.113', 1, { name: 'another' });
      expect(await rowsOf('metered_try')).toHaveLength(1);
      await shift(-hourMs);
      await logIn('192.0.2.2');
      expect(await rowsOf('familiar_network')).toMatchObject([{ network: '192.0.2.2' }]);
    });
  });

  test('stores a hash instead of a name, however long the name is', async () => {
    const { fail, rowsOf } = await useTries();
    await fail({ name: 'n'.repeat(100_000) });
    const [{ account } = { account: '' }] = await rowsOf('login_try');
    expect(account).toMatch(/^[0-9a-f]{64}$/);
  });
});
