import { describe, expect, test } from 'vitest';
import type { LoginTry } from '../../src/core/accounts/ports.ts';
import { SqlLoginTries } from '../../src/sql/accounts/login-tries.ts';
import { NotedWrites } from '../../src/sql/noted-writes.ts';
import { engines } from './engines.ts';
import { useEngine } from './use-engine.ts';

const attempt: LoginTry = {
  name: 'name',
  network: '192.0.2.1',
  windowMs: 60_000,
  mostOfName: 3,
  mostOfNetwork: 5,
};

describe.each(engines)('$name: tries to log in', ({ open }) => {
  async function useTries() {
    const engine = await useEngine(open);
    const notes = new NotedWrites(engine, () => undefined);
    const tries = new SqlLoginTries({ engine, notes });
    const begin = async (change: Partial<LoginTry> = {}) => {
      const begun = await tries.begin({ ...attempt, ...change });
      return 'id' in begun ? begun.id : null;
    };
    const fail = async (change: Partial<LoginTry> = {}) => {
      const id = await begin(change);
      if (id !== null) tries.noteFailure(id);
      await notes.settle();
      return id !== null;
    };
    /** Moves all that was counted by so many milliseconds. */
    const shift = (ms: number) =>
      engine.write(async (trx) => {
        await trx
          .updateTable('login_try')
          .set((row) => ({ at: row('at', '+', ms) }))
          .execute();
      });
    return { engine, tries, begin, fail, shift };
  }

  test('failures and tries under way count, exactly, however many come at once', async () => {
    const { tries, begin, fail } = await useTries();
    expect(await fail()).toBe(true);
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(ids.filter((id) => id !== null)).toHaveLength(2);
    const [some = 0] = ids.filter((id) => id !== null);
    await tries.forget(some);
    expect(await begin()).not.toBeNull();
    expect(await begin()).toBeNull();
  });

  test('a blocked one is told when the oldest failure goes, and 0 while none has failed yet', async () => {
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

  test('a success clears those of its name and network; for the network they count on', async () => {
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

  test.each([60_000, -60_000])('what is %i ms away counts no longer, and goes', async (ms) => {
    const { engine, fail, shift } = await useTries();
    for (let i = 0; i < 3; i += 1) await fail();
    expect(await fail()).toBe(false);
    await shift(ms + Math.sign(ms) * 10_000);
    expect(await fail()).toBe(true);
    expect(await engine.read.selectFrom('login_try').select('id').execute()).toHaveLength(1);
  });
});
