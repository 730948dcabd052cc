import { describe, expect, test } from 'vitest';
import { SharedRuns } from '../../src/core/shared/concurrency/shared-runs.ts';

/** Returns work that counts its runs. A run ends only when the test ends it. */
function steppedWork() {
  const begun: PromiseWithResolvers<number>[] = [];
  const work = () => {
    const run = Promise.withResolvers<number>();
    begun.push(run);
    return run.promise;
  };
  return { begun, work };
}

/** Waits until all pending callbacks have run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the sharing of runs', () => {
  test('shares the next run among callers who arrive while one is under way', async () => {
    const runs = new SharedRuns<number>();
    const { begun, work } = steppedWork();
    const first = runs.run('a', work);
    const later = [runs.run('a', work), runs.run('a', work), runs.run('a', work)];
    await nextTurn();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await nextTurn();
    expect(begun).toHaveLength(2);
    const latest = runs.run('a', work);
    begun[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    await nextTurn();
    begun[2]?.resolve(3);
    expect(await latest).toBe(3);
    expect(begun).toHaveLength(3);
  });

  test('runs different keys concurrently and starts a key again once it has ended', async () => {
    const runs = new SharedRuns<number>();
    const { begun, work } = steppedWork();
    const [a, b] = [runs.run('a', work), runs.run('b', work)];
    expect(begun).toHaveLength(2);
    begun[1]?.resolve(2);
    begun[0]?.resolve(1);
    expect(await Promise.all([a, b])).toEqual([1, 2]);
    await nextTurn();
    const again = runs.run('a', work);
    expect(begun).toHaveLength(3);
    begun[2]?.resolve(3);
    expect(await again).toBe(3);
  });

  test('reports a failure only to the callers who shared the failed run', async () => {
    const runs = new SharedRuns<number>();
    const { begun, work } = steppedWork();
    const [first, second] = [runs.run('a', work), runs.run('a', work)];
    const refused = expect(first).rejects.toThrow('broken');
    begun[0]?.reject(new Error('broken'));
    await refused;
    await nextTurn();
    begun[1]?.resolve(2);
    expect(await second).toBe(2);
  });
});
