import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Limiter } from '../../src/core/shared/concurrency/limiter.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/**
 * Enters a limiter under several names. Records the admitted names with their functions to leave,
 * and the refused names.
 */
function entrants(limiter: Limiter) {
  const inside = new Map<string, () => void>();
  const outside = new Map<string, unknown>();
  return {
    inside,
    outside,
    enter(name: string, limits: Parameters<Limiter['acquire']>[0] = {}) {
      limiter.acquire(limits).then(
        (leave) => inside.set(name, leave),
        (error: unknown) => outside.set(name, error),
      );
    },
    leave(name: string) {
      inside.get(name)?.();
      inside.delete(name);
    },
  };
}

describe('the limiter', () => {
  test('admits up to the limit and then the others in order as places become free', async () => {
    const { inside, enter, leave } = entrants(new Limiter(2));
    for (const name of ['a', 'b', 'c', 'd']) enter(name);
    await turn();
    expect([...inside.keys()]).toEqual(['a', 'b']);
    leave('b');
    enter('e');
    await turn();
    expect([...inside.keys()]).toEqual(['a', 'c']);
    for (const name of ['a', 'c']) leave(name);
    await turn();
    expect([...inside.keys()]).toEqual(['d', 'e']);
    for (const name of ['d', 'e']) leave(name);
    for (const name of ['f', 'g', 'h']) enter(name);
    await turn();
    expect([...inside.keys()]).toEqual(['f', 'g']);
  });

  test('admits the owners of waiting callers in turn', async () => {
    const limiter = new Limiter(1);
    const order: string[] = [];
    const entering = [null, 'a', 'a', 'a', 'b', null, 'b'].map((owner) =>
      limiter.acquire({ owner }).then((leave) => {
        order.push(String(owner));
        leave();
      }),
    );
    await Promise.all(entering);
    expect(order).toEqual(['null', 'a', 'b', 'null', 'a', 'b', 'a']);
  });

  describe('a place in the limiter', () => {
    test('is refused as busy to a caller whose waiting time is over', async () => {
      const { inside, outside, enter, leave } = entrants(new Limiter(1));
      enter('a');
      enter('b', { waitMs: 20 });
      enter('c');
      vi.advanceTimersByTime(20);
      await turn();
      expect(outside.get('b')).toMatchObject({ kind: 'busy' });
      leave('a');
      await turn();
      expect([...inside.keys()]).toEqual(['c']);
    });

    test('is refused to a caller whose signal is aborted, before or while it waits', async () => {
      const { inside, outside, enter, leave } = entrants(new Limiter(1));
      const stop = new AbortController();
      enter('before', { signal: AbortSignal.abort('at once') });
      enter('a');
      enter('b', { signal: stop.signal });
      enter('c');
      await turn();
      // Both happen in the same turn of the event loop. `c` must get the slot of `a`.
      stop.abort('enough');
      leave('a');
      await turn();
      expect([...outside]).toEqual([
        ['before', 'at once'],
        ['b', 'enough'],
      ]);
      expect([...inside.keys()]).toEqual(['c']);
    });

    test('is refused as busy to a caller when the queue is full', async () => {
      const { inside, outside, enter, leave } = entrants(new Limiter(1, { maxWaiting: 1 }));
      for (const name of ['a', 'b', 'c']) enter(name);
      await turn();
      expect(outside.get('c')).toMatchObject({ kind: 'busy' });
      leave('a');
      await turn();
      enter('d');
      leave('b');
      await turn();
      expect([...inside.keys()]).toEqual(['d']);
    });
  });

  test('keeps the place of admitted work after an abort or the end of its wait time', async () => {
    const { inside, outside, enter } = entrants(new Limiter(1));
    const stop = new AbortController();
    enter('a', { signal: stop.signal, waitMs: 1 });
    await turn();
    stop.abort();
    enter('b', { waitMs: 1 });
    vi.advanceTimersByTime(1);
    await turn();
    expect([[...inside.keys()], [...outside.keys()]]).toEqual([['a'], ['b']]);
  });

  test('frees the place after `run`, whether the work succeeds or fails', async () => {
    const limiter = new Limiter(1);
    const failing = limiter.run(() => Promise.reject(new Error('no')));
    const next = limiter.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
