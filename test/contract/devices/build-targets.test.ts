import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { seenMs } from '../../../src/core/builds/target-ports.ts';
import { Targets } from '../../../src/core/builds/targets.ts';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { SqlTargetRecords } from '../../../src/sql/builds/target-records.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';

const last = {
  ...{ setId: 1, set: 'All', profile: 'x', unpacks: true },
  ...{ builtAt: '', files: 2, problems: 0, leftOut: 0 },
};

describeEngines('$name: a build target', ({ open }) => {
  async function useHosts() {
    const engine = await useEngine(open);
    const failures: unknown[] = [];
    const hostOf = (host: string, ...names: string[]) => {
      const records = new SqlTargetRecords({ engine, host });
      const targets = new Targets({
        ...{ named: names.map((name) => ({ name, folder: `/${host}/${name}` })), host, clock },
        ...{ records, folders: { check: async () => {}, exists: async () => true } },
        onFailure: (error) => failures.push(error),
      });
      return { records, targets };
    };
    const stall = (host: string, ms: number) =>
      engine.write((trx) =>
        trx
          .updateTable('build_target')
          .set({ seen_at: sql`seen_at + ${sql.lit(ms)}` })
          .where('host', '=', host)
          .execute(),
      );
    return { failures, hostOf, stall };
  }

  test('is claimed by only one of many concurrent hosts', async () => {
    const { hostOf } = await useHosts();
    const hosts = Array.from({ length: 8 }, (_, i) => hostOf(`host ${i}`, 'b', 'a').records);
    const taken = await Promise.all(hosts.map((host, i) => host.claim(i % 2 ? ['a'] : ['a', 'b'])));
    const [one] = await (hosts[0] as SqlTargetRecords).list();
    expect(taken.filter((others) => others.every(({ name }) => name !== 'a'))).toHaveLength(1);
    expect(taken.flat().filter(({ name }) => name === 'a')).toEqual(Array(7).fill(one));
  });

  test.each([-seenMs - 1_000, seenMs + 60_000])(
    'passes to another host if its host was last seen %d ms from now, and can return later',
    async (ms) => {
      const { failures, hostOf, stall } = await useHosts();
      const [one, other] = [hostOf('one', 'stick', 'tv'), hostOf('other', 'stick')];
      const listed = async ({ targets }: typeof one) =>
        (await targets.list()).map(({ name, host, folder }) => [name, host ?? folder]);
      await one.targets.begin();
      await one.records.record('stick', last);
      await expect(other.targets.begin()).rejects.toThrow('target of the host one, which was seen');
      expect(await listed(other)).toEqual([
        ['stick', 'one'],
        ['tv', 'one'],
      ]);
      await stall('one', ms);
      expect(await listed(other)).toEqual([]);
      expect(await other.targets.hostOf('stick')).toBeNull();
      // It is not offered elsewhere, but no other server has taken it over.
      expect((await one.targets.list()).map((target) => target.last)).toEqual([last, null]);
      await one.targets.refresh();
      expect(await other.targets.hostOf('stick')).toBe('one');
      await stall('one', ms);
      await other.targets.begin();
      await one.records.record('stick', last);
      await one.targets.refresh();
      await one.targets.refresh();
      expect(failures).toEqual([expect.objectContaining({ message: expect.any(String) })]);
      expect(await listed(one)).toEqual([
        ['tv', '/one/tv'],
        ['stick', 'other'],
      ]);
      expect((await other.targets.list())[0]).toMatchObject({ host: null, last: null });
      expect(await one.targets.hostOf('stick')).toBe('other');
      await stall('other', ms);
      await one.targets.refresh();
      expect(await one.targets.hostOf('stick')).toBe('one');
      expect(await other.targets.hostOf('stick')).toBe('one');
      await Promise.all([one.targets.close(), other.targets.close()]);
    },
  );

  test('is claimed only with all targets of a host, and then gives others no folder', async () => {
    const { hostOf, stall } = await useHosts();
    const [one, other] = [hostOf('one', 'stick'), hostOf('other', 'stick', 'tv')];
    await one.targets.begin();
    await expect(other.targets.begin()).rejects.toThrow('is a target of the host one');
    expect((await one.records.list()).map(({ name, host }) => [name, host])).toEqual([
      ['stick', 'one'],
    ]);
    expect(await one.targets.getFolder('stick')).toBe('/one/stick');
    await stall('one', -seenMs - 1_000);
    await other.targets.begin();
    await expect(one.targets.getFolder('stick')).rejects.toThrow('target of the host other now');
    await Promise.all([one.targets.close(), other.targets.close()]);
  });

  test('is taken over if its record names no host', async () => {
    const { hostOf } = await useHosts();
    await hostOf('', 'stick', 'old').targets.begin();
    const { targets } = hostOf('one', 'stick');
    await targets.begin();
    expect(await targets.hostOf('stick')).toBe('one');
    await targets.close();
  });
});
