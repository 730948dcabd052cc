import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/core/shared/requests/actor.ts';
import { lockAccounts } from '../../src/sql/accounts/lock-accounts.ts';
import { SqlLoginTries } from '../../src/sql/accounts/login-tries.ts';
import { insertToken } from '../../src/sql/accounts/tokens.ts';
import { checkRight } from '../../src/sql/accounts/write-as.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { describeEngines } from './fixtures/engines.ts';
import { addRightful } from './fixtures/rights.ts';
import { actor, useAccounts } from './fixtures/use-accounts.ts';
import { stamp as at, inCodePointOrder } from './fixtures/use-engine.ts';

const web: Actor = { kind: 'user', userId: 7, username: 'änn', address: '::1' };

/** Returns a login of ann with the correct password. */
const login = (tryId: number) => ({ tryId, passwordHash: 'hash of ann' });

describeEngines('$name: account records', ({ open, isFile }) => {
  describe('the table of users', () => {
    test('finds users by id and by exact name', async () => {
      const { records, add } = await useAccounts(open);
      const ann = await add('änn 大', 'editor');
      expect(ann).toStrictEqual({
        id: ann.id,
        username: 'änn 大',
        role: 'editor',
        isActive: true,
        createdAt: at(0),
        lastLoginAt: null,
      });
      expect(await records.findUser(ann.id)).toStrictEqual(ann);
      const found = await records.findUserByName('änn 大');
      expect(found).toStrictEqual({ ...ann, passwordHash: 'hash of änn 大' });
      for (const other of ['Änn 大', 'änn 大 ', 'ann 大', 'änn%', '']) {
        expect(await records.findUserByName(other)).toBeNull();
      }
      for (const other of [0, -1, ann.id + 1, 2 ** 53]) {
        expect(await records.findUser(other)).toBeNull();
      }
    });

    test('lists users by name in code point order', async () => {
      const { records, add } = await useAccounts(open);
      for (const name of inCodePointOrder.toReversed()) await add(name);
      expect((await records.listUsers()).map(({ username }) => username)).toEqual(inCodePointOrder);
    });

    test('gives a username to only one of several concurrent creations', async () => {
      const { records, add } = await useAccounts(open);
      const results = await Promise.allSettled([add('ann'), add('ann'), add('ann'), add('Ann')]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      const failed = results.filter((result) => result.status === 'rejected');
      for (const { reason } of failed)
        expect(reason).toMatchObject({ message: 'username already exists' });
      expect(await records.listUsers()).toHaveLength(2);
    });

    test('changes only the given fields of a user and audits who changed them', async () => {
      const { records, add, audit } = await useAccounts(open);
      const admin = await add('admin', 'admin');
      const ann = await add('ann');
      const changed = await records.updateUser(ann.id, { role: 'editor', isActive: false }, web);
      expect(changed).toStrictEqual({ ...ann, role: 'editor', isActive: false });
      await records.updateUser(ann.id, { passwordHash: 'other' }, web);
      expect(await records.findUserByName('ann')).toMatchObject({
        passwordHash: 'other',
        isActive: false,
      });
      expect(await records.updateUser(ann.id, {}, web)).toStrictEqual(changed);
      expect(await records.updateUser(ann.id + 1, { role: 'admin' }, web)).toBeNull();
      expect(await records.findUser(admin.id)).toStrictEqual(admin);
      const who = { actor_kind: 'user', user_id: 7, username: 'änn', address: '::1' };
      const target = `user/${ann.id}`;
      expect((await audit()).slice(2)).toEqual([
        {
          at: at(2),
          ...who,
          action: 'user.update',
          target,
          detail: { role: 'editor', isActive: false },
        },
        { at: at(3), ...who, action: 'user.update', target, detail: { password: 'changed' } },
        { at: at(4), ...who, action: 'user.update', target, detail: {} },
      ]);
    });

    test('does not change a user whose password is not the expected one', async () => {
      const { records, add, token, audit } = await useAccounts(open);
      const ann = await add('ann');
      await records.createToken(token(ann.id), actor, null);
      const before = await audit();
      const change = { passwordHash: 'next', formerHash: 'older', revokeTokens: true };
      expect(await records.updateUser(ann.id, change, actor)).toBeNull();
      expect(await records.findUserByName('ann')).toMatchObject({ passwordHash: 'hash of ann' });
      expect((await records.listTokens(ann.id)).map(({ revokedAt }) => revokedAt)).toEqual([null]);
      expect(await audit()).toEqual(before);
      const expected = { ...change, formerHash: 'hash of ann' };
      expect(await records.updateUser(ann.id, expected, actor)).toEqual(ann);
      expect((await audit()).at(-1)?.detail).toEqual({ password: 'changed', revokeTokens: true });
    });

    test('deletes users with their tokens and never reuses their ids', async () => {
      const { records, add, token } = await useAccounts(open);
      await add('admin', 'admin');
      const ann = await add('ann');
      const given = token(ann.id);
      await records.createToken(given, actor, null);
      expect(await records.deleteUser(ann.id, actor)).toBe(true);
      expect(await records.deleteUser(ann.id, actor)).toBe(false);
      expect(await records.findCredential(given.hash)).toBeNull();
      expect((await add('bob')).id).toBeGreaterThan(ann.id);
    });

    test('changes a user only after a transaction that locks the accounts has ended', async () => {
      const { engine, records, add } = await useAccounts(open);
      const ann = await add('ann');
      const [locked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const other = engine.write(async (trx) => {
        await lockAccounts(trx);
        locked.resolve();
        await mayCommit.promise;
      });
      await locked.promise;
      const changing = records.updateUser(ann.id, { role: 'editor' }, actor);
      const waits = () => lockWaits(engine);
      if (!isFile) await expect.poll(waits).toBe(1);
      mayCommit.resolve();
      await other;
      expect(await changing).toMatchObject({ role: 'editor' });
    });
  });

  describe('an admin', () => {
    test('cannot be demoted, deactivated or deleted if no other admin is active', async () => {
      const { records, add } = await useAccounts(open);
      expect(await records.hasActiveAdmin()).toBe(false);
      const admin = await add('admin', 'admin');
      const idle = await add('idle', 'admin');
      expect(await records.updateUser(idle.id, { isActive: false }, actor)).not.toBeNull();
      const refusal = { kind: 'conflict', message: 'last active admin' };
      for (const change of [
        { role: 'user' },
        { isActive: false },
        { role: 'editor', isActive: false },
      ] as const) {
        await expect(records.updateUser(admin.id, change, actor)).rejects.toMatchObject(refusal);
      }
      await expect(records.deleteUser(admin.id, actor)).rejects.toMatchObject(refusal);
      expect(await records.findUser(admin.id)).toStrictEqual(admin);
      expect(
        await records.updateUser(admin.id, { passwordHash: 'new', role: 'admin' }, actor),
      ).toEqual(admin);
      expect(await records.deleteUser(idle.id, actor)).toBe(true);
      expect(await records.hasActiveAdmin()).toBe(true);
    });

    test('remains if all admins are demoted, deactivated or deleted at once', async () => {
      const { records, add } = await useAccounts(open);
      const admins = [await add('a', 'admin'), await add('b', 'admin'), await add('c', 'admin')];
      const [a, b, c] = admins.map(({ id }) => id) as [number, number, number];
      const results = await Promise.allSettled([
        records.updateUser(a, { role: 'user' }, actor),
        records.deleteUser(b, actor),
        records.updateUser(c, { isActive: false }, actor),
      ]);
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      expect(await records.hasActiveAdmin()).toBe(true);
    });

    test('is created as the first one only once, even for concurrent callers', async () => {
      const { records, add } = await useAccounts(open);
      const create = (username: string) =>
        records.createFirstAdmin({ username, passwordHash: '' }, { kind: 'system' });
      const created = await Promise.all([create('admin'), create('admin'), create('admin')]);
      expect(created.filter((user) => user !== null)).toMatchObject([
        { role: 'admin', isActive: true },
      ]);
      expect(await create('other')).toBeNull();
      await add('second', 'admin');
      const [admin] = await records.listUsers();
      await records.updateUser(admin?.id ?? 0, { role: 'user' }, actor);
      expect(await create('admin')).toBeNull();
    });

    test('is not created if its username is taken', async () => {
      const { records, add } = await useAccounts(open);
      await add('admin', 'user');
      const creating = records.createFirstAdmin({ username: 'admin', passwordHash: '' }, actor);
      await expect(creating).rejects.toMatchObject({ message: 'username already exists' });
    });
  });

  describe('the table of tokens', () => {
    test('finds a token with its user by hash', async () => {
      const { records, add, token } = await useAccounts(open);
      const ann = await add('ann', 'editor');
      const given = token(ann.id, { label: 'ein "Programm"', kind: 'web', expiresAt: at(59) });
      const id = await records.createToken(given, actor, null);
      expect(await records.findCredential(given.hash)).toStrictEqual({
        user: ann,
        token: {
          id,
          label: 'ein "Programm"',
          kind: 'web',
          createdAt: at(50),
          lastUsedAt: null,
          expiresAt: at(59),
          revokedAt: null,
        },
      });
      expect(await records.findCredential(given.hash.toUpperCase())).toBeNull();
      expect(await records.findCredential('')).toBeNull();
    });

    test('records the time of a login together with its token', async () => {
      const { records, add, token, audit } = await useAccounts(open);
      const ann = await add('ann');
      await records.createToken(token(ann.id), actor, null);
      expect((await records.findUser(ann.id))?.lastLoginAt).toBeNull();
      await records.createToken(token(ann.id, { createdAt: at(55) }), web, login(0));
      expect((await records.findUser(ann.id))?.lastLoginAt).toBe(at(55));
      expect((await audit()).map(({ action }) => action)).toEqual([
        'user.create',
        'token.create',
        'login',
      ]);
    });

    test('clears the failed logins of a name only if it creates the token of a login', async () => {
      const { engine, records, add, token } = await useAccounts(open);
      const ann = await add('ann');
      const deferredWrites = new DeferredWrites(engine, () => undefined);
      const tries = new SqlLoginTries({ engine, deferredWrites });
      const limits = { windowMs: 60_000, maxPerName: 2, maxPerNetwork: 9 };
      const begin = async () => {
        const begun = await tries.begin({ name: 'ann', network: '192.0.2.1', ...limits });
        return 'id' in begun ? begun.id : null;
      };
      tries.recordFailure((await begin()) ?? 0);
      await deferredWrites.flush();
      const tryId = (await begin()) ?? 0;
      expect(await records.createToken(token(ann.id + 1), actor, login(tryId))).toBeNull();
      expect(await begin()).toBeNull();
      await records.createToken(token(ann.id), actor, login(tryId));
      expect(await begin()).not.toBeNull();
    });

    test('creates no token for an unknown or inactive user', async () => {
      const { records, add, token } = await useAccounts(open);
      const ann = await add('ann');
      await records.updateUser(ann.id, { isActive: false }, actor);
      expect(await records.createToken(token(ann.id), actor, login(0))).toBeNull();
      expect(await records.createToken(token(ann.id + 1), actor, login(0))).toBeNull();
      expect(await records.listTokens(ann.id)).toEqual([]);
      expect((await records.findUser(ann.id))?.lastLoginAt).toBeNull();
    });

    test('creates no login token when the password has changed since it was checked', async () => {
      const { records, add, token } = await useAccounts(open);
      const ann = await add('ann');
      await records.updateUser(ann.id, { passwordHash: 'other', revokeTokens: true }, actor);
      expect(await records.createToken(token(ann.id), actor, login(0))).toBeNull();
      expect(await records.listTokens(ann.id)).toEqual([]);
      expect((await records.findUser(ann.id))?.lastLoginAt).toBeNull();
      expect(await records.createToken(token(ann.id), actor, null)).not.toBeNull();
    });

    test('revokes all tokens of a user, including one that is being created', async () => {
      const { engine, records } = await useAccounts(open);
      const rightful = await addRightful(engine, 'user');
      const { userId } = rightful;
      const made = Promise.withResolvers<void>();
      const mayCommit = Promise.withResolvers<void>();
      const making = engine.write(async (trx) => {
        const author = await checkRight(trx, rightful, at(50));
        const values = { hash: 'e'.repeat(64), label: 'b', kind: 'api' as const };
        const times = { createdAt: at(50), expiresAt: null };
        await insertToken(trx, { userId, ...values, ...times }, author, null);
        made.resolve();
        await mayCommit.promise;
      });
      await made.promise;
      const revoking = records.updateUser(userId, { revokeTokens: true }, actor);
      if (!isFile) await expect.poll(() => lockWaits(engine)).toBeGreaterThan(0);
      mayCommit.resolve();
      await Promise.all([making, revoking]);
      const tokens = await records.listTokens(userId);
      expect(tokens.map(({ revokedAt }) => revokedAt !== null)).toEqual([true, true]);
    });

    test('creates tokens while their user is changed, without deadlocks', async () => {
      const { engine, records, token } = await useAccounts(open);
      const rightful = await addRightful(engine, 'admin');
      const { userId } = rightful;
      const writes = Array.from({ length: 24 }, (_, at) =>
        at % 4 === 3
          ? records.updateUser(userId, { role: 'admin' }, rightful)
          : records.createToken(token(userId), rightful, null),
      );
      await Promise.all(writes);
      expect(await records.listTokens(userId)).toHaveLength(19);
    });

    test('lists tokens newest first and revokes a token once', async () => {
      const { records, add, token } = await useAccounts(open);
      const ann = await add('ann');
      const bob = await add('bob');
      const ids: number[] = [];
      for (const user of [ann, ann, bob]) {
        ids.push((await records.createToken(token(user.id), actor, null)) ?? 0);
      }
      const [first = 0, second = 0, bobsTokenId = 0] = ids;
      const listed = async (id: number) =>
        (await records.listTokens(id)).map((each) => [each.id, each.revokedAt !== null]);
      await records.revokeToken(ann.id, bobsTokenId, actor);
      await records.revokeToken(ann.id, first, actor);
      const { revokedAt } = (await records.listTokens(ann.id))[1] ?? {};
      await records.revokeToken(ann.id, first, actor);
      expect((await records.listTokens(ann.id))[1]?.revokedAt).toBe(revokedAt);
      expect(await listed(ann.id)).toEqual([
        [second, false],
        [first, true],
      ]);
      expect(await listed(bob.id)).toEqual([[bobsTokenId, false]]);
      await records.updateUser(ann.id, { revokeTokens: true }, actor);
      expect(await listed(ann.id)).toEqual([
        [second, true],
        [first, true],
      ]);
      expect((await records.listTokens(ann.id))[1]?.revokedAt).toBe(revokedAt);
      expect(await records.listTokens(bob.id + 1)).toEqual([]);
    });

    test('revokes all tokens of a user except one together with a new password', async () => {
      const { records, add, token } = await useAccounts(open);
      const [ann, bob] = [await add('ann'), await add('bob')];
      const make = async (id: number) => (await records.createToken(token(id), actor, null)) ?? 0;
      const [one, keptToken, other] = [await make(ann.id), await make(ann.id), await make(ann.id)];
      const bobsTokenId = await make(bob.id);
      const change = { passwordHash: 'next', revokeTokens: true, keepToken: keptToken };
      await records.updateUser(ann.id, change, actor);
      const live = async (id: number) =>
        (await records.listTokens(id)).filter(({ revokedAt }) => revokedAt === null);
      expect((await live(ann.id)).map(({ id }) => id)).toEqual([keptToken]);
      expect((await live(bob.id)).map(({ id }) => id)).toEqual([bobsTokenId]);
      expect((await records.listTokens(ann.id)).map(({ id }) => id)).toEqual([
        other,
        keptToken,
        one,
      ]);
      expect((await records.findUserByName('ann'))?.passwordHash).toBe('next');
    });

    test('lists a token with its latest use, even if that write is deferred', async () => {
      const { records, add, token } = await useAccounts(open);
      const ann = await add('ann');
      const id = (await records.createToken(token(ann.id), actor, null)) ?? 0;
      records.recordTokenUse(id, at(57));
      records.recordTokenUse(id, at(58));
      expect((await records.listTokens(ann.id)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
        at(58),
      ]);
    });
  });
});

/** Returns the number of transactions that wait for a lock. */
async function lockWaits({ read }: Engine): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  `.execute(read);
  return rows[0]?.count ?? 0;
}
