import { describe, expect, test } from 'vitest';
import { mapAhead } from '../../src/core/shared/concurrency/map-ahead.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('mapAhead', () => {
  test.each([1, 3, 50])('yields all results in order, at most %i at a time', async (max) => {
    const items = Array.from({ length: 20 }, (_, i) => i);
    let running = 0;
    let highest = 0;
    const results: (readonly [number, number])[] = [];
    const square = async (item: number) => {
      running += 1;
      highest = Math.max(highest, running);
      for (let i = 0; i <= 4 - (item % 4); i += 1) await turn();
      running -= 1;
      return item * item;
    };
    for await (const result of mapAhead(max, items, square)) results.push(result);
    expect(results).toEqual(items.map((item) => [item, item * item]));
    expect([running, highest]).toEqual([0, Math.min(max, items.length)]);
  });

  test('throws the error of the first failed item, after the calls in progress ended', async () => {
    const ended: number[] = [];
    const yielded: number[] = [];
    const work = async (item: number) => {
      if (item === 2) throw new Error('the later item, at once');
      for (let i = 0; i < 5; i += 1) await turn();
      ended.push(item);
      if (item === 1) throw new Error('the earlier item');
    };
    const run = async () => {
      for await (const [item] of mapAhead(4, [0, 1, 2, 3, 4, 5], work)) yielded.push(item);
    };
    await expect(run()).rejects.toThrow('the earlier item');
    expect([yielded, ended]).toEqual([[0], [0, 1, 3, 4]]);
  });

  test('awaits the calls in progress after a break', async () => {
    let running = 0;
    const work = async () => {
      running += 1;
      await turn();
      running -= 1;
    };
    for await (const _ of mapAhead(3, [0, 1, 2, 3, 4], work)) break;
    expect(running).toBe(0);
  });
});
