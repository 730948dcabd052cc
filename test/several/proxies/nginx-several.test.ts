/** @module-tag full */
import { describe, expect, test } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { freeze } from '../../support/freeze.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { Load, reads, withUploads } from './load.ts';
import { useProxiedPair } from './proxied-pair.ts';

const skipReason = toolsSkipReason('nginx', 'openssl');
const database = testedDatabases().at(-1);

const isWrite = (method: string) => method === 'POST' || method === 'PATCH';

describe.skipIf(skipReason !== null)(`nginx before two instances ${skipReason ?? ''}`, () => {
  test('completes each GET in 22 s while one instance is frozen', async () => {
    const { proxy, token, at } = await useProxiedPair('nginx', database);
    const load = new Load(proxy.origin, token);
    load.start(6, reads);
    await expect.poll(() => load.ended.length).toBeGreaterThan(100);
    await freeze(at(0).pid);
    const count = load.ended.length;
    await expect.poll(() => load.ended.length).toBeGreaterThan(count + 500);
    const failed = await load.end(); // nginx repeats requests at the frozen instance after 20 s
    expect(failed).toEqual([]);
    expect(load.longestMs).toBeGreaterThan(20_000);
    expect(load.longestMs).toBeLessThan(22_000);
  }, 120_000);

  test('completes each GET in 3 s when one instance is killed', async () => {
    const { proxy, token, at } = await useProxiedPair('nginx', database);
    const load = new Load(proxy.origin, token);
    load.start(6, reads);
    await expect.poll(() => load.ended.length).toBeGreaterThan(100);
    at(0).kill('SIGKILL');
    await at(0).ended;
    const count = load.ended.length;
    await expect.poll(() => load.ended.length).toBeGreaterThan(count + 100);
    expect(await load.end()).toEqual([]);
    expect(load.longestMs).toBeLessThan(3_000);
  }, 120_000);

  test('fails no read of 2,000 requests, and at most one write per restart', async () => {
    const { proxy, token, at, restart } = await useProxiedPair('nginx', database);
    const load = new Load(proxy.origin, token);
    load.start(6, withUploads);
    let restarts = 0;
    for (; restarts < 6 || load.ended.length < 2_000; restarts += 1) {
      const which = restarts % 2 === 0 ? 0 : 1;
      const count = load.ended.length;
      await expect.poll(() => load.ended.length).toBeGreaterThan(count + 100);
      at(which).kill('SIGTERM');
      expect((await at(which).ended).code).toBe(0);
      await restart(which);
    }
    // on a busy machine, the database may take too long
    const failed = (await load.end()).filter(({ outcome }) => outcome !== 'busy');
    // nginx repeats only reads. A write is lost if its connection closes at the same moment, which
    // happens more often on a busy machine.
    const lost = failed.filter(({ method, outcome }) => isWrite(method) && outcome === 502);
    expect(failed.filter((each) => !lost.includes(each))).toEqual([]);
    expect(lost.length).toBeLessThanOrEqual(restarts);
  }, 900_000);
});
