import { expect, test } from 'vitest';
import { Readiness } from '../../src/core/stats/readiness.ts';

test('checks at most once a second for all callers and reports `not ready` with its cause', async () => {
  let [now, tries] = [0, 0];
  let failure: Error | null = null;
  const readiness = new Readiness({
    checkDatabase: async () => {
      tries += 1;
      if (failure !== null) throw failure;
    },
    areas: [],
    clock: { monotonic: () => now, now: () => now, timestamp: () => '' },
  });
  await Promise.all([readiness.check(), readiness.check()]);
  now = 999;
  failure = new Error('no space');
  await readiness.check();
  expect(tries).toBe(1);
  now = 1_000;
  await expect(readiness.check()).rejects.toMatchObject({
    kind: 'busy',
    message: 'not ready',
    cause: failure,
  });
  await expect(readiness.check()).rejects.toThrow('not ready');
  expect(tries).toBe(2);
  failure = null;
  now = 2_000;
  await readiness.check();
  expect(tries).toBe(3);
});
