import { describe, expect, test } from 'vitest';
import { Refusal } from '../src/api/request.ts';
import { BulkEdit } from '../src/catalogue/selection/bulk-edit.svelte.ts';

const releases = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `r${id}` }));
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * An editor with pending edits that the test completes. `most` is the highest number of edits that
 * were pending at the same time.
 */
function slowEdits() {
  const waiting: (() => void)[] = [];
  const seen = { sent: [] as (readonly [number, object])[], most: 0 };
  const edit = (id: number, fields: Readonly<Record<string, string>>) =>
    new Promise<void>((resolve) => {
      seen.sent.push([id, fields]);
      waiting.push(resolve);
      seen.most = Math.max(seen.most, waiting.length);
    });
  const respondToAll = async () => {
    while (waiting.length > 0) {
      waiting.shift()?.();
      await settled();
    }
  };
  return { seen, waiting, respondToAll, bulk: new BulkEdit(edit) };
}

describe('a bulk edit', () => {
  test('sets the field of each release, at most three at a time', async () => {
    const { seen, respondToAll, bulk } = slowEdits();
    const running = bulk.run(releases(10), 'genre', 'Racing');
    expect([bulk.isRunning, bulk.done]).toEqual([true, 0]);
    await respondToAll();
    expect(await running).toHaveLength(10);
    expect([seen.most, seen.sent.length, seen.sent[9]?.[1]]).toEqual([3, 10, { genre: 'Racing' }]);
    expect([bulk.isRunning, bulk.done, bulk.failures]).toEqual([false, 10, []]);
  });

  test('continues after a failed edit and keeps the reason', async () => {
    const bulk = new BulkEdit(async (id) => {
      if (id % 2 === 1) throw new Error(`not ${id}`);
    });
    expect(await bulk.run(releases(5), 'genre', '')).toEqual([0, 2, 4]);
    expect(bulk.done).toBe(5);
    expect(bulk.failures.map(({ name, reason }) => [name, String(reason)])).toEqual([
      ['r1', 'Error: not 1'],
      ['r3', 'Error: not 3'],
    ]);
    await bulk.run(releases(1), 'genre', '');
    expect([bulk.done, bulk.failures]).toEqual([1, []]);
  });

  test('starts no further edits once it is stopped', async () => {
    const { seen, respondToAll, bulk } = slowEdits();
    const running = bulk.run(releases(100), 'genre', 'x');
    bulk.stop();
    await respondToAll();
    expect([(await running).length, seen.sent.length, bulk.isRunning]).toEqual([3, 3, false]);
  });

  test('stops when the session ended and leaves the remaining releases for later', async () => {
    let left = 4;
    const bulk = new BulkEdit(async () => {
      left -= 1;
      if (left < 0) throw new Refusal(401, 'Not authenticated');
    });
    const changed = await bulk.run(releases(100), 'genre', 'x');
    expect(changed).toEqual([0, 1, 2, 3]);
    expect([bulk.done, bulk.failures, bulk.signedOut !== null]).toEqual([4, [], true]);
    left = 1000;
    expect(await bulk.run(releases(100).slice(4), 'genre', 'x')).toHaveLength(96);
    expect(bulk.signedOut).toBeNull();
  });
});
