import { describe, expect, test } from 'vitest';
import { forEachAtMost } from '../../src/core/shared/concurrency/for-each-at-most.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('forEachAtMost', () => {
  test.each([1, 3, 50])('handles every item once, in order, at most %i at a time', async (max) => {
    const items = Array.from({ length: 20 }, (_, i) => i);
    const begun: number[] = [];
    let running = 0;
    let highest = 0;
    await forEachAtMost(max, items, async (item) => {
      begun.push(item);
      running += 1;
      highest = Math.max(highest, running);
      for (let i = 0; i <= item % 4; i += 1) await turn();
      running -= 1;
    });
    expect([begun, running, highest]).toEqual([items, 0, Math.min(max, items.length)]);
  });

  test('resolves when there are no items', async () => {
    await forEachAtMost(3, [], () => Promise.reject(new Error('no item')));
  });

  test('stops after a failure, awaits running items and rejects with the first error', async () => {
    const ended: number[] = [];
    const work = forEachAtMost(3, [0, 1, 2, 3, 4], async (item) => {
      await turn();
      if (item === 1) throw new Error('the first');
      for (let i = 0; i < 5; i += 1) await turn();
      ended.push(item);
      if (item === 2) throw new Error('the second');
    });
    await expect(work).rejects.toThrow('the first');
    expect(ended).toEqual([0, 2]);
  });
});
