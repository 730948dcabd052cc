import { expect, test } from 'vitest';
import type { ListedRelease, ReleaseFilter } from '../../src/core/releases/ports.ts';
import type { ReleasePages } from '../../src/sql/release-pages.ts';
import { WholeLists } from '../../src/sql/whole-lists.ts';

const everything: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

/** Whole lists of 1,000 releases, and how many of their batches were asked for. */
function lists(failAt = Number.POSITIVE_INFINITY) {
  const asked = { batches: 0 };
  const read: ReleasePages['read'] = async (_filter, { limit, offset, after }) => {
    asked.batches += 1;
    if (asked.batches === failAt) throw new Error('the disk failed');
    const first = offset + (after?.id ?? 0);
    const amount = Math.max(0, Math.min(limit, 1_000 - first));
    return Array.from({ length: amount }, (_, i) => release(first + i + 1));
  };
  return { asked, whole: new WholeLists({ read }) };
}

const release = (id: number) =>
  ({ id, name: `Game ${String(id).padStart(4, '0')}` }) as ListedRelease;

test('the next batch is read while one is sent, for four lists at a time', async () => {
  const { asked, whole } = lists();
  const readers = Array.from({ length: 6 }, () => whole.stream(everything, 0));
  for (const reader of readers) await reader.next();
  expect(asked.batches).toBe(6 + 4);
  for (const reader of readers) await reader.return(undefined); // who leaves makes room for others
  asked.batches = 0;
  const next = whole.stream(everything, 0);
  await next.next();
  expect(asked.batches).toBe(2);
  await next.return(undefined);
});

test.each([0, 1, 749, 750, 751, 1_000, 1_001])(
  'from offset %i on all come once',
  async (offset) => {
    const ids: number[] = [];
    for await (const batch of lists().whole.stream(everything, offset)) {
      ids.push(...batch.map(({ id }) => id));
    }
    const expected = Array.from({ length: Math.max(0, 1_000 - offset) }, (_, i) => offset + i + 1);
    expect(ids).toEqual(expected);
  },
);

test('a failure is met after the batch before it, and by nobody who has left', async () => {
  const met = lists(2).whole.stream(everything, 0);
  expect((await met.next()).value).toHaveLength(250);
  await expect(met.next()).rejects.toThrow('the disk failed');
  const left = lists(2).whole.stream(everything, 0);
  await left.next();
  await left.return(undefined);
});
