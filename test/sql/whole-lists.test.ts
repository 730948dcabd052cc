import { describe, expect, test } from 'vitest';
import { type Batch, FullListStreams } from '../../src/sql/releases/full-list-stream.ts';
import type { Page } from '../../src/sql/releases/release-pages.ts';

/** Returns streams of 1,000 numbered releases. `batches` counts the batches that were read. */
function lists(failAt = Number.POSITIVE_INFINITY) {
  const counts = { batches: 0 };
  const whole = new FullListStreams();
  const read = async ({ limit, offset, after }: Page): Promise<Batch<number[]>> => {
    counts.batches += 1;
    if (counts.batches === failAt) throw new Error('the disk failed');
    const first = offset + (after?.id ?? 0);
    const releases = Math.max(0, Math.min(limit, 1_000 - first));
    const content = Array.from({ length: releases }, (_, i) => first + i + 1);
    const id = content.at(-1);
    return { content, releases, last: id === undefined ? null : { id, name: `Game ${id}` } };
  };
  return { counts, stream: (offset = 0) => whole.stream(offset, read) };
}

describe('the stream of a whole list', () => {
  test('reads the next batch in advance for at most two lists at a time', async () => {
    const { counts, stream } = lists();
    const readers = Array.from({ length: 6 }, () => stream());
    for (const reader of readers) await reader.next();
    expect(counts.batches).toBe(6 + 2);
    // frees capacity for other readers
    for (const reader of readers) await reader.return(undefined);
    counts.batches = 0;
    const next = stream();
    await next.next();
    expect(counts.batches).toBe(2);
    await next.return(undefined);
  });

  test.each([0, 1, 349, 350, 351, 849, 850, 851, 1_000, 1_001])(
    'returns each release from offset %i once',
    async (offset) => {
      const ids: number[] = [];
      for await (const batch of lists().stream(offset)) {
        ids.push(...batch);
      }
      const expected = Array.from(
        { length: Math.max(0, 1_000 - offset) },
        (_, i) => offset + i + 1,
      );
      expect(ids).toEqual(expected);
    },
  );

  test('throws a read failure after the previous batch, not to a reader that left', async () => {
    const met = lists(2).stream();
    expect((await met.next()).value).toHaveLength(150);
    await expect(met.next()).rejects.toThrow('the disk failed');
    const left = lists(2).stream();
    await left.next();
    await left.return(undefined);
  });
});
