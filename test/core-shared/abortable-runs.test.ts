import { describe, expect, test } from 'vitest';
import { AbortableRuns } from '../../src/core/shared/concurrency/abortable-runs.ts';
import { busy } from '../../src/core/shared/errors.ts';
import { withClient } from '../../src/core/shared/requests/client-context.ts';

/** Returns a function that calls `getNew` for a client, and the runs of its work. */
function steppedRuns() {
  const begun: (PromiseWithResolvers<number> & { signal: AbortSignal })[] = [];
  const runs = new AbortableRuns<number>();
  const work = (signal: AbortSignal) => {
    const run = { ...Promise.withResolvers<number>(), signal };
    begun.push(run);
    return run.promise;
  };
  const join = (signal = new AbortController().signal) =>
    withClient({ network: 'a', signal }, () => runs.getNew('a', work));
  return { begun, join };
}

/** Waits until all pending callbacks have run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the sharing of abortable runs', () => {
  test('shares the next run among callers who arrive while one is under way', async () => {
    const { begun, join } = steppedRuns();
    const first = join();
    const later = [join(), join(), join()];
    await nextTurn();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await nextTurn();
    expect(begun).toHaveLength(2);
    const latest = join();
    begun[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    await nextTurn();
    begun[2]?.resolve(3);
    expect(await latest).toBe(3);
    const again = join();
    expect(begun).toHaveLength(4);
    begun[3]?.resolve(4);
    expect(await again).toBe(4);
  });

  test('aborts a run when its callers have left, and begins the next for the others', async () => {
    const { begun, join } = steppedRuns();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [join(first.signal), join(second.signal)].map((run) => run.catch(String));
    const staying = join();
    first.abort('gone');
    second.abort('gone');
    expect(await Promise.all(left)).toEqual(['gone', 'gone']);
    expect(begun[0]?.signal.aborted).toBe(true);
    begun[0]?.reject(busy());
    await nextTurn();
    expect(begun[1]?.signal.aborted).toBe(false);
    begun[1]?.resolve(2);
    expect(await staying).toBe(2);
  });

  test('never begins a next run whose callers have all left', async () => {
    const { begun, join } = steppedRuns();
    const leaving = new AbortController();
    const first = join();
    const left = join(leaving.signal).catch(String);
    leaving.abort('gone');
    expect(await left).toBe('gone');
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await nextTurn();
    expect(begun).toHaveLength(1);
  });

  test('rejects callers who wait for the next run if the current one fails as busy', async () => {
    const { begun, join } = steppedRuns();
    const [first, next] = [join(), join()].map((run) => run.catch(String));
    begun[0]?.reject(busy());
    expect(await first).toBe(await next);
    expect(begun).toHaveLength(1);
  });

  test('begins the next run if the current one fails with another error', async () => {
    const { begun, join } = steppedRuns();
    const [first, next] = [join().catch(String), join()];
    begun[0]?.reject(new Error('broken'));
    expect(await first).toBe('Error: broken');
    await nextTurn();
    begun[1]?.resolve(2);
    expect(await next).toBe(2);
  });
});
