import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { busy } from '../../../src/core/shared/errors.ts';
import { Leases } from '../../../src/core/shared/processes/leases.ts';
import { Presence } from '../../../src/core/shared/processes/presence.ts';
import { SqlLeaseRecords } from '../../../src/sql/jobs/lease-records.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';

describeEngines('$name: the table of leases', ({ open }) => {
  async function useLeases(dead: readonly string[] = []) {
    const engine = await useEngine(open);
    const records = new SqlLeaseRecords({ engine, isDead: (holder) => dead.includes(holder) });
    return { engine, records };
  }

  test('gives a lease to one holder, who may renew it, until it is released', async () => {
    const { records } = await useLeases();
    expect(await records.acquire('x', 'a', 60_000)).toBe(true);
    expect(await records.acquire('x', 'b', 60_000)).toBe(false);
    expect(await records.acquire('y', 'b', 60_000)).toBe(true);
    expect(await records.acquire('x', 'a', 60_000)).toBe(true);
    await records.release('x', 'b');
    expect(await records.acquire('x', 'b', 60_000)).toBe(false);
    await records.release('x', 'a');
    expect(await records.acquire('x', 'b', 60_000)).toBe(true);
  });

  test('gives a lease to one of many concurrent callers', async () => {
    const { records } = await useLeases();
    const takes = Array.from({ length: 20 }, (_, i) => records.acquire('x', `${i}`, 60_000));
    expect((await Promise.all(takes)).filter((taken) => taken)).toHaveLength(1);
  });

  test('passes a lease on if its holder is dead, it expired or time was set back', async () => {
    const { engine, records } = await useLeases(['dead']);
    await records.acquire('x', 'dead', 60_000);
    expect(await records.acquire('x', 'a', 60_000)).toBe(true);
    const setExpiry = (ms: number) =>
      engine.write(async (trx) => {
        await trx.updateTable('lease').set({ expires_at: ms }).where('name', '=', 'x').execute();
      });
    await setExpiry(1);
    expect(await records.acquire('x', 'b', 60_000)).toBe(true);
    await setExpiry(2 ** 52);
    expect(await records.acquire('x', 'c', 60_000)).toBe(true);
  });

  test('reports whether a lease is held and deletes those that expired long ago', async () => {
    const { engine, records } = await useLeases();
    await records.acquire('x', 'a', 60_000);
    expect([await records.isHeld('x'), await records.isHeld('y')]).toEqual([true, false]);
    await records.acquire('y', 'b', 0);
    expect(await records.isHeld('y')).toBe(false);
    const expire = (lease: string) =>
      engine.write(async (trx) => {
        // One ms more, because the row may be deleted in the ms in which it was written.
        const expires_at = sql<number>`expires_at - ${10 * 60_000 + 1}`;
        await trx.updateTable('lease').set({ expires_at }).where('name', '=', lease).execute();
      });
    const names = async () => {
      const rows = await engine.read.selectFrom('lease').select('name').orderBy('name').execute();
      return rows.map(({ name }) => name);
    };
    await records.deleteExpired();
    expect(await names()).toEqual(['logins', 'x', 'y']);
    await expire('y');
    await records.acquire('z', 'c', 0);
    expect(await names()).toEqual(['logins', 'x', 'z']);
    await expire('z');
    await records.deleteExpired();
    expect(await names()).toEqual(['logins', 'x']);
  });

  test('deletes the leases of dead processes while another process is alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { engine, records } = await useLeases();
    const alive = new Presence({ records, process: 'host.1.aaaaaaaa' });
    await alive.begin();
    await engine.write(async (trx) => {
      const dead = { name: 'process/host.1.bbbbbbbb', holder: 'host.1.bbbbbbbb', expires_at: 1 };
      await trx.insertInto('lease').values(dead).execute();
    });
    vi.advanceTimersByTime(10 * 60_000);
    const names = async () => {
      const rows = await engine.read.selectFrom('lease').select('name').orderBy('name').execute();
      return rows.map(({ name }) => name);
    };
    await expect.poll(names).toEqual(['logins', 'process/host.1.aaaaaaaa']);
    await alive.end();
  });

  test('considers a process ended if it is unknown, has ended or stops renewing', async () => {
    const { engine, records } = await useLeases();
    const [first, second] = ['host.1.aaaaaaaa', 'host.1.bbbbbbbb'].map(
      (process) => new Presence({ records, process }),
    ) as [Presence, Presence];
    await Promise.all([first.begin(), second.begin()]);
    expect(await second.stateOf('host.1.aaaaaaaa')).toBe('alive');
    expect(await second.stateOf('host.1.cccccccc')).toBe('ended');
    await first.end();
    expect(await second.stateOf('host.1.aaaaaaaa')).toBe('ended');
    await engine.write(async (trx) => {
      await trx.updateTable('lease').set({ expires_at: 1 }).execute();
    });
    expect(await second.stateOf('host.1.bbbbbbbb')).toBe('ended');
    await second.end();
  });

  test('does not regain a lease for work that stalled for too long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { engine, records } = await useLeases();
    const holderOf = async () =>
      (await engine.read.selectFrom('lease').select('holder').where('name', '=', 'x').execute())[0]
        ?.holder;
    let ms = 0;
    const clock = { monotonic: () => ms };
    const takes = vi.spyOn(records, 'acquire');
    const taken = async (count: number) => {
      const ended = () => takes.mock.settledResults.filter(({ type }) => type !== 'incomplete');
      await expect.poll(() => ended().length).toBe(count);
      await turn(); // the lease now has the result
    };
    const leases = new Leases({ records, newHolder: () => 'first', clock });
    await leases.run('x', { waitMs: 0 }, async (held) => {
      ms += 14_000;
      vi.advanceTimersByTime(5_000);
      await taken(2); // the first of the two is for the start
      ms += 14_000;
      held.check();
      await records.release('x', 'first'); // simulates an expired lease
      expect(await records.acquire('x', 'second', 60_000)).toBe(true);
      await records.release('x', 'second');
      ms += 1_000;
      vi.advanceTimersByTime(5_000);
      await taken(4);
      expect(await holderOf()).toBe('first');
      expect(() => held.check()).toThrow('busy');
    });
  });

  test('releases a lease only after a running renewal, which would take it again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { records } = await useLeases();
    const slow = Promise.withResolvers<void>();
    const acquire = records.acquire.bind(records);
    const acquired = vi.spyOn(records, 'acquire').mockImplementation(async (...args) => {
      if (acquired.mock.calls.length % 2 === 0) await slow.promise; // each second one is a renewal
      return acquire(...args);
    });
    const released = vi.spyOn(records, 'release');
    const leases = new Leases({ records, newHolder: () => 'a', clock: { monotonic: () => 0 } });
    const working = leases.run('x', { waitMs: 0 }, async () => vi.advanceTimersByTime(5_000));
    await expect.poll(() => acquired.mock.calls.length).toBe(2);
    const presence = new Presence({ records, process: 'host.1.aaaaaaaa' });
    await presence.begin();
    vi.advanceTimersByTime(5_000);
    const ending = presence.end();
    await turn();
    expect(released).not.toHaveBeenCalled();
    slow.resolve();
    await Promise.all([working, ending]);
    expect(await records.isHeld('x')).toBe(false);
    expect(await presence.stateOf('host.1.aaaaaaaa')).toBe('ended');
  });

  test('releases all leases of a holder to others, and makes its work fail as busy', async () => {
    const { records } = await useLeases();
    const [one, other] = ['one', 'other'].map(
      (holder) => new Leases({ records, newHolder: () => holder, clock: { monotonic: () => 0 } }),
    ) as [Leases, Leases];
    await one.run('x', { waitMs: 0 }, async (held) => {
      held.check();
      await one.giveUpAll();
      expect(() => held.check()).toThrow('busy');
      expect(await other.tryRun('x', async () => 'taken over')).toEqual({ result: 'taken over' });
    });
    expect(await one.tryRun('x', async (held) => held.check())).not.toBeNull();
  });

  test('lets callers wait up to their own limit, and releases leases of failed work', async () => {
    const { records } = await useLeases();
    let holders = 0;
    let ms = 0;
    const clock = { monotonic: () => ms };
    const leases = new Leases({ records, newHolder: () => `${++holders}`, clock });
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = leases.run('x', { waitMs: 0 }, async (held) => {
      begun.resolve();
      await end.promise;
      held.check();
      ms += 15_000; // after this stall, another holder may have the lease
      held.check();
    });
    await begun.promise;
    const busy = leases.run('x', { waitMs: 0 }, async () => 1);
    await expect(busy).rejects.toMatchObject({ kind: 'busy' });
    expect(await leases.tryRun('x', async () => 1)).toBeNull();
    const takes = vi.spyOn(records, 'acquire');
    const waiting = leases.run('x', { waitMs: 60_000 }, async () => 'after');
    await expect.poll(() => takes.mock.calls.length).toBe(1);
    end.resolve();
    await expect(first).rejects.toMatchObject({ kind: 'busy' });
    expect(await waiting).toBe('after');
    await leases.waitUntilFree('x', new AbortController().signal);
  });

  test('reports that work was busy without waiting for the release of its lease', async () => {
    const { records } = await useLeases();
    const isReleasable = Promise.withResolvers<void>();
    const release = records.release.bind(records);
    vi.spyOn(records, 'release').mockImplementation(async (name, holder) => {
      await isReleasable.promise; // like a database server that does not respond
      await release(name, holder);
    });
    const leases = new Leases({ records, newHolder: () => 'a', clock: performanceClock });
    const failing = leases.run('x', { waitMs: 0 }, async () => {
      throw busy();
    });
    await expect(failing).rejects.toMatchObject({ kind: 'busy' });
    expect(await records.isHeld('x')).toBe(true);
    isReleasable.resolve();
    await expect.poll(() => records.isHeld('x')).toBe(false);
  });
});

const performanceClock = { monotonic: () => performance.now() };
