import { describe, expect, test } from 'vitest';
import { FairLimiter } from '../../src/core/shared/concurrency/fair-limiter.ts';

/** Returns work that ends only when the test calls `end`. */
function heldWork() {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { held, end };
}

describe('the fair limiter', () => {
  test('gives places to the owners in turn and never runs more than the limit', async () => {
    const limiter = new FairLimiter({ all: 2 }, { max: 100, maxPerOwner: 100 });
    const first = heldWork();
    const order: string[] = [];
    let max = 0;
    let running = 0;
    const run = (owner: string, name: string) =>
      limiter.run(owner, async () => {
        running += 1;
        max = Math.max(max, running);
        order.push(name);
        await first.held;
        running -= 1;
      });
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map((name) => run(name.charAt(0), name));
    expect(order).toEqual(['a1', 'a2']);
    first.end();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']);
    expect(max).toBe(2);
  });

  test('frees the place of work that fails', async () => {
    const limiter = new FairLimiter({ all: 1 }, { max: 10, maxPerOwner: 10 });
    const failing = limiter.run('a', () => Promise.reject(new Error('no')));
    const next = limiter.run('b', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  test('refuses an owner over its queue limit as busy while other owners still queue', async () => {
    const limiter = new FairLimiter({ all: 1 }, { max: 3, maxPerOwner: 2 });
    const first = heldWork();
    const run = (owner: string) => limiter.run(owner, () => first.held);
    const accepted = [run('a'), run('a'), run('a')];
    await expect(run('a')).rejects.toMatchObject({ kind: 'busy', retryAfter: 1 });
    accepted.push(run('b'));
    await expect(run('c')).rejects.toMatchObject({ kind: 'busy' });
    first.end();
    await Promise.all(accepted);
  });

  test('limits the places of one owner and keeps its turn in the queue', async () => {
    const limiter = new FairLimiter({ all: 2, maxPerOwner: 1 }, { max: 100, maxPerOwner: 100 });
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (owner: string | null, name: string) =>
      limiter.run(owner, async () => {
        const { held, end } = heldWork();
        ends.set(name, end);
        order.push(name);
        await held;
      });
    const running = ['a1', 'a2', 'b1', 'b2', 'c1'].map((name) => run(name.charAt(0), name));
    expect(order).toEqual(['a1', 'b1']);
    const end = async (at: number) => {
      ends.get(order[at] ?? '')?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    await end(1);
    expect(order).toEqual(['a1', 'b1', 'b2']);
    await end(0);
    expect(order).toEqual(['a1', 'b1', 'b2', 'a2']);
    await end(2);
    expect(order).toEqual(['a1', 'b1', 'b2', 'a2', 'c1']);
    await end(3);
    await end(4);
    await Promise.all(running);
    // The limit per owner does not apply to work without an owner.
    const own = [run(null, 'own1'), run(null, 'own2')];
    expect(order.slice(5)).toEqual(['own1', 'own2']);
    await end(5);
    await end(6);
    await Promise.all(own);
  });

  test('drops waiting work when its signal is aborted', async () => {
    const limiter = new FairLimiter({ all: 1 }, { max: 1, maxPerOwner: 1 });
    const first = heldWork();
    const running = limiter.run('a', () => first.held);
    const leaving = new AbortController();
    const left = limiter.run('b', async () => 'left', leaving.signal);
    leaving.abort('gone');
    await expect(left).rejects.toBe('gone');
    const next = limiter.run('b', async () => 'next');
    first.end();
    await running;
    expect(await next).toBe('next');
    await expect(limiter.run('b', async () => 'late', leaving.signal)).rejects.toBe('gone');
  });
});
