import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CoveredReleases } from '../../src/core/covers/covered-releases.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { localArea } from '../../src/files/local/local-area.ts';

describe('the list of releases with a cover', () => {
  test('reads an unchanged folder twice at most, and again after a change', async () => {
    const data = await mkdtemp(join(tmpdir(), 'catalog-covers-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const folder = join(data, 'covers');
    await mkdir(folder);
    const area = localArea({ folder, tmp: join(data, 'tmp') });
    const seen = { ms: 0, listings: 0 };
    const covered = new CoveredReleases({
      area: {
        version: () => area.version(),
        names() {
          seen.listings += 1;
          return area.names();
        },
      },
      clock: { ...systemClock, monotonic: () => seen.ms },
    });
    await writeFile(join(folder, '7.png'), 'x');
    await writeFile(join(folder, 'bundle.zip'), 'x');
    expect([...(await covered.releasesWithCover())]).toEqual([7]);
    for (seen.ms = 4_000; seen.ms < 600_000; seen.ms += 1_000) await covered.releasesWithCover();
    expect(seen.listings).toBe(2); // the first listing may precede a change in the same moment
    expect(await covered.releasesWithCover()).toBe(await covered.releasesWithCover());
    await writeFile(join(folder, '8.webp'), 'x');
    expect([...(await covered.releasesWithCover())].sort()).toEqual([7, 8]);
    expect(seen.listings).toBe(3);
  });
});
