import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../../measure/figure.ts';
import { mount, mountSkipReason, runTool, unmount } from '../../measure/mounts.ts';
import type { Check } from '../check.ts';
import { measureDiskFault } from '../tools/disk-fault.ts';
import { makeFailingImage } from '../tools/failing-disk-image.ts';
import type { Trial } from '../trial.ts';

const mib = 1_048_576;

/**
 * Checks a server while its disk refuses writes. The server must acknowledge only what it has
 * stored, still serve reads, and recover without a restart.
 */
export const failingDisk: Check = {
  name: 'failing-disk',
  control: {
    what: 'no write waits for the disk (no fsync), and readiness ignores failures',
    changes: [
      {
        file: 'src/sql/sqlite/threads/connection.ts',
        from: "'synchronous = full'",
        to: "'synchronous = off'",
      },
      { file: 'src/files/local/stage-file.ts', from: 'await handle.sync();', to: '' },
      { file: 'src/files/local/durable.ts', from: 'await handle.sync();', to: '' },
      {
        file: 'src/core/stats/readiness.ts',
        from: 'failures.set(part, error)',
        to: 'undefined',
      },
    ],
  },
  skipReason: async () => {
    const packages = { 'mkfs.ext4': 'e2fsprogs', nbdkit: 'nbdkit', nbdfuse: 'libnbd-bin' };
    return mountSkipReason(packages, '/dev/loop-control', '/dev/fuse');
  },
  async measure(trial) {
    return [...(await storeReadOnly(trial)), ...(await allFailing(trial))];
  },
};

/** Measures with the archives on a separate disk that is mounted read-only for a while. */
async function storeReadOnly(trial: Trial): Promise<Figure[]> {
  const folder = join(trial.folder, 'read-only');
  const data = join(folder, 'data');
  const store = join(data, 'store/games');
  await mkdir(folder, { recursive: true });
  const image = join(folder, 'store.img');
  await writeFile(image, '');
  await truncate(image, 64 * mib);
  runTool('mkfs.ext4', '-q', '-F', image);
  mount(store, '-o', 'loop', image);
  const remount = (option: string) => runTool('mount', '-o', `remount,${option}`, store);
  return measureDiskFault(trial, {
    name: 'read-only store',
    data,
    writes: (admin) => [
      () => admin.upload('a.zip', new Uint8Array(1_000)),
      () => admin.upload('new.zip', new Uint8Array(1_000)),
      () => admin.request('/api/store/games/a.zip', { method: 'DELETE' }),
    ],
    fail: () => remount('ro'),
    heal: () => remount('rw'),
    end: () => unmount(store),
  });
}

/** Measures with the whole data folder on a disk that fails every write with EIO for a while. */
async function allFailing(trial: Trial): Promise<Figure[]> {
  const folder = join(trial.folder, 'failing');
  await mkdir(folder, { recursive: true });
  const image = await makeFailingImage(folder, 256 * mib);
  const disk = join(folder, 'disk');
  try {
    // Without a journal, because a failed journal write would stop the file system for good.
    runTool('mkfs.ext4', '-q', '-F', '-O', '^has_journal', image.file);
    mount(disk, '-o', 'loop,errors=continue', image.file);
    return await measureDiskFault(trial, {
      name: 'EIO everywhere',
      data: join(disk, 'data'),
      writes: (admin) => [
        () => admin.upload('a.zip', new Uint8Array(100_000)),
        () => admin.putCover(1, new Uint8Array(10_000)),
        () => admin.request('/api/releases/1', { method: 'PATCH', json: { region: 'Failed' } }),
        () => admin.request('/api/auth/tokens', { json: {} }),
      ],
      fail: image.fail,
      heal: image.heal,
      end: () => unmount(disk),
    });
  } finally {
    await image.close();
  }
}
