import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { UploadSweeper } from '../../src/core/uploads/upload-sweeper.ts';
import { localUploads } from '../../src/files/uploads/upload-files.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { SqlUploadRecords } from '../../src/sql/uploads/upload-records.ts';
import { useStore } from './store-fixture.ts';

const hourMs = 60 * 60 * 1000;

describe('the upload sweeper', () => {
  test('removes folders that belong to no upload at the start and every hour', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { data } = await useStore();
    const engine = await openDatabase(join(data, 'catalog.db'));
    onTestFinished(() => engine.close());
    const areas = { games: join(data, 'store/games'), videos: join(data, 'store/videos') };
    const sweeper = new UploadSweeper({
      records: new SqlUploadRecords({ engine, clock }),
      files: localUploads({ tmp: join(data, 'tmp'), areas }),
      clock,
      drop: async () => undefined,
      onFailure: (error) => {
        throw error;
      },
    });
    onTestFinished(() => sweeper.close());
    const top = join(data, 'tmp/uploads');
    const leave = async (folder: string) => {
      await mkdir(join(top, folder), { recursive: true });
      await writeFile(join(top, folder, 'a.zip'), 'leftover');
    };

    await leave('from an earlier process');
    sweeper.start();
    await expect.poll(() => readdir(top)).toEqual([]);
    await leave('from this process');
    vi.advanceTimersByTime(hourMs);
    await expect.poll(() => readdir(top)).toEqual([]);
  });
});
