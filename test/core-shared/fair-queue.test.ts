import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/core/shared/concurrency/fair-queue.ts';

const roomy = { max: 100, maxPerOwner: 100 };

function rest<T>(queue: FairQueue<T>): T[] {
  const things: T[] = [];
  for (let thing = queue.next(); thing !== undefined; thing = queue.next()) things.push(thing);
  return things;
}

describe('the fair queue', () => {
  test('serves the owners in turn, however much each has queued', () => {
    const queue = new FairQueue<string>(roomy);
    for (const thing of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
      queue.add(thing.charAt(0), thing);
    expect(queue.next()).toBe('a1');
    queue.add('d', 'd1');
    expect(rest(queue)).toEqual(['b1', 'c1', 'a2', 'd1', 'b2', 'a3', 'a4']);
    expect(queue.size).toBe(0);
  });

  test('refuses entries over the limit of one owner and over the limit of all', () => {
    const queue = new FairQueue<string>({ max: 4, maxPerOwner: 2 });
    expect(['a1', 'a2', 'a3'].map((thing) => queue.add('a', thing))).toEqual([true, true, false]);
    expect(queue.add('b', 'b1')).toBe(true);
    expect(queue.add('c', 'c1')).toBe(true);
    expect(queue.add('d', 'd1')).toBe(false);
    expect(queue.next()).toBe('a1');
    expect(queue.add('d', 'd1')).toBe(true);
  });

  test("never refuses the program's own entries", () => {
    const queue = new FairQueue<number>({ max: 1, maxPerOwner: 1 });
    expect([1, 2, 3].map((thing) => queue.add(null, thing))).toEqual([true, true, true]);
    expect(rest(queue)).toEqual([1, 2, 3]);
  });

  test('frees the room of an entry that is removed', () => {
    const queue = new FairQueue<string>({ max: 2, maxPerOwner: 2 });
    for (const thing of ['a1', 'a2']) queue.add('a', thing);
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('b', 'a2');
    expect(queue.size).toBe(1);
    expect(queue.add('b', 'b1')).toBe(true);
    queue.remove('a', 'a2');
    expect(rest(queue)).toEqual(['b1']);
    expect(queue.size).toBe(0);
  });
});
