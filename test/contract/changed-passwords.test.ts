import { expect, test } from 'vitest';
import { Accounts } from '../../src/core/accounts/accounts.ts';
import { LoginThrottle } from '../../src/core/accounts/login-throttle.ts';
import type { SqlAccountRecords } from '../../src/sql/accounts/account-records.ts';
import { SqlLoginTries } from '../../src/sql/accounts/login-tries.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import { describeEngines } from './fixtures/engines.ts';
import { actor, useAccounts } from './fixtures/use-accounts.ts';
import { steppingClock } from './fixtures/use-engine.ts';

describeEngines('$name: a password that is changed while it is being used', ({ open }) => {
  /**
   * Opens accounts whose password hashes equal their passwords. Calls `duringVerification` after a
   * password was verified.
   */
  async function useLogins(
    duringVerification: (records: SqlAccountRecords, id: number) => Promise<unknown>,
  ) {
    const { engine, records } = await useAccounts(open);
    const deferredWrites = new DeferredWrites(engine, () => undefined);
    const tries = new SqlLoginTries({ engine, deferredWrites });
    const name = { username: 'ann', passwordHash: 'old', role: 'user' as const };
    const user = await records.createUser(name, actor);
    const accounts = new Accounts({
      records,
      passwords: {
        hash: async (password) => password,
        async verify(hash, password) {
          if (hash === password) await duringVerification(records, user.id);
          return hash === password;
        },
        verifyDummy: async () => {},
      },
      throttle: new LoginThrottle({ failures: 10, windowMs: 60_000 }, tries),
      clock: steppingClock(),
      tokenDays: 1,
    });
    return { accounts, records, user, deferredWrites };
  }
  const reset = (records: SqlAccountRecords, id: number) =>
    records.updateUser(id, { passwordHash: 'new', revokeTokens: true }, actor);

  test('makes a login with the old password fail', async () => {
    const { accounts, records, user, deferredWrites } = await useLogins(reset);
    const attempt = { username: 'ann', password: 'old', kind: 'api' as const };
    await expect(accounts.login(attempt, '::1')).rejects.toThrow('Invalid username or password');
    expect(await records.listTokens(user.id)).toEqual([]);
    await deferredWrites.close();
  });

  test('is not overwritten by a user who knew the old password', async () => {
    const change = { passwordHash: 'new' };
    const { accounts, records, user, deferredWrites } = await useLogins((made, id) =>
      made.updateUser(id, change, actor),
    );
    const { id, value } = await accounts.issueToken(user, 'a', 1, actor);
    const credential = await accounts.authenticate(value);
    const right = { role: 'user' as const, tokenId: id };
    const client = { kind: 'user' as const, userId: user.id, username: 'ann', address: '::1' };
    const passwords = { current: 'old', next: 'mine', revokeOthers: false };
    const changing = accounts.changePassword(credential, passwords, { ...client, right });
    await expect(changing).rejects.toThrow('wrong password');
    expect(await records.findUserByName('ann')).toMatchObject({ passwordHash: 'new' });
    await deferredWrites.close();
  });
});
