import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import { FolderVersion } from '../../src/core/shared/files/folder-version.ts';
import { localArea } from '../../src/files/local/local-area.ts';

describe('the version of a folder', () => {
  test('treats a folder as settled once it has not changed for three seconds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-folder-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    let ms = 0;
    const area = localArea({ folder, tmp: folder });
    const watched = new FolderVersion({ area, clock: { ...systemClock, monotonic: () => ms } });
    const isSettledAt = async (at: number) => {
      ms = at;
      return (await watched.check()).isStable;
    };
    expect([await isSettledAt(0), await isSettledAt(2_999), await isSettledAt(3_000)]).toEqual([
      ...[false, false, true],
    ]);
    const before = watched.lastVersion;
    await writeFile(join(folder, 'a'), '');
    await utimes(folder, 1, 1);
    expect(await isSettledAt(3_001)).toBe(false);
    expect(watched.lastVersion).not.toBe(before);
    expect([await isSettledAt(6_000), await isSettledAt(6_001)]).toEqual([false, true]);
  });
});
