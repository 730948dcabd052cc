import { describe, expect, test } from 'vitest';
import { SearchedReleases } from '../../src/core/covers/searched-releases.ts';

const wanted = [1, 2, 3, 4, 5].map((id) => ({ id }));

describe('a resumed fetch of covers', () => {
  test('skips the releases of an earlier run, but counts them', () => {
    const first = new SearchedReleases(null);
    expect(first.withoutSearched(wanted)).toEqual(wanted);
    first.add(1, 'stored');
    first.add(3, 'missing');
    const step = JSON.parse(JSON.stringify(first.step()));
    expect(step).toMatchObject({ upTo: 1, ahead: [3] });

    const second = new SearchedReleases(step);
    expect(second.withoutSearched(wanted)).toEqual([{ id: 2 }, { id: 4 }, { id: 5 }]);
    expect(second.count).toBe(2);
    second.add(4, 'failed');
    second.add(2, 'stored');
    second.add(5, 'kept');
    expect(second.step()).toMatchObject({ upTo: 5, ahead: [] });
    expect(second.counts).toEqual({
      stored: 2,
      missing: 1,
      remembered: 0,
      removed: 0,
      failed: 1,
      kept: 1,
    });
  });
});
