/** @module-tag full */
import { describe, expect, test } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { freeze } from '../../support/freeze.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { Load, mixed, reads } from './load.ts';
import { useProxiedPair } from './proxied-pair.ts';

const lack = toolsSkipReason('nginx', 'openssl');
const database = testedDatabases().at(-1);

describe.skipIf(lack !== null)(`two instances behind nginx ${lack ?? ''}`, () => {
  test('fails no GET while one instance is frozen', async () => {
    const { proxy, token, at } = await useProxiedPair('nginx', database);
    const load = new Load(proxy.origin, token);
    load.start(6, reads);
    await expect.poll(() => load.ended.length).toBeGreaterThan(100);
    await freeze(at(0).pid);
    const count = load.ended.length;
    await expect.poll(() => load.ended.length).toBeGreaterThan(count + 500);
    const failed = await load.end(); // those at the frozen instance are sent again after 20 s
    expect(failed).toEqual([]);
  }, 120_000);

  test('fails no request while the instances are restarted one after another', async () => {
    const { proxy, token, at, restart } = await useProxiedPair('nginx', database);
    const load = new Load(proxy.origin, token);
    load.start(6, mixed);
    for (const which of [0, 1, 0, 1] as const) {
      const count = load.ended.length;
      await expect.poll(() => load.ended.length).toBeGreaterThan(count + 500);
      at(which).kill('SIGTERM');
      expect((await at(which).ended).code).toBe(0);
      await restart(which);
    }
    expect(await load.end()).toEqual([]);
  }, 180_000);
});
