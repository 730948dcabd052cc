import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import type { FileArea } from '../../src/core/shared/files/file-area.ts';
import { archiveStem, stemsLike } from '../../src/core/store/archive-name.ts';
import { ArchiveNames } from '../../src/core/store/archive-names.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { constantRevision } from '../support/data/revisions.ts';

/** Returns a real area that counts its listings, and a clock that only the test advances. */
async function useNames() {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-names-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const real = localArea({ folder: join(folder, 'games'), tmp: join(folder, 'tmp') });
  const seen = { listings: 0, ms: 0 };
  const area: FileArea = {
    ...real,
    names() {
      seen.listings += 1;
      return real.names();
    },
  };
  const names = new ArchiveNames({
    area,
    clock: { ...systemClock, monotonic: () => seen.ms },
    revision: constantRevision,
  });
  await mkdir(join(folder, 'games'));
  return {
    seen,
    names,
    write: (name: string) => writeFile(join(folder, 'games', name), ''),
    find: async (...stems: string[]) => (await names.find(new Set(stems))).sort(),
  };
}

describe('the list of archive names', () => {
  test('stops listing an area that stays unchanged, but lists it after a change', async () => {
    const { seen, find, write } = await useNames();
    await write('a.zip');
    for (seen.ms = 0; seen.ms < 600_000; seen.ms += 400) expect(await find('a')).toEqual(['a.zip']);
    // The folder is listed again until its mtime is old. A recent mtime could be the same after a
    // later change.
    expect(seen.listings).toBeLessThan(6);
    const before = seen.listings;
    await write('a.7z');
    seen.ms += 1_000;
    expect(await find('a')).toEqual(['a.7z', 'a.zip']);
    expect(seen.listings).toBe(before + 1);
  });

  test('shares a listing among callers, and lists again after at most a second', async () => {
    const { seen, find, write, names } = await useNames();
    await Promise.all(Array.from({ length: 20 }, () => find('a')));
    expect(seen.listings).toBe(1);
    await write('a.zip');
    seen.ms += 999;
    expect(await find('a')).toEqual([]);
    seen.ms += 1;
    expect(await find('a', 'b')).toEqual(['a.zip']);
    await write('b.zip');
    names.invalidate();
    expect(await find('a', 'b')).toEqual(['a.zip', 'b.zip']);
  });

  test.each([
    ['Game.zip', 'Game'],
    ['Game v1.0.zip', 'Game v1.0'],
    ['Game v1.0', 'Game v1.0'],
    ['Game.7z', 'Game'],
    ['Game.tar.xz', 'Game'],
    ['Mr. Do', 'Mr. Do'],
    ['Mario Bros.', 'Mario Bros.'],
    ['Ga/me: "One".zip', 'Game One'],
    ['.zip', ''],
  ])('takes from %j the stem %j', (name, stem) => {
    expect(archiveStem(name)).toBe(stem);
  });

  test('returns each stem of the names and ROMs of a release once and ignores empty ones', () => {
    const roms = ['A (v1.0).bin', 'track', '.bin', '...'];
    expect([...stemsLike({ titles: ['A: B', '???', 'A B'], roms })].sort()).toEqual([
      '.bin',
      'A (v1.0)',
      'A (v1.0).bin',
      'A B',
      'track',
    ]);
  });
});
