/** @module-tag full */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toolsSkipReason } from '../support/tools.ts';
import { countsOf, filesIn, useBuildLibrary, writeFiles } from './build-library.ts';

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** An exFAT disk, mounted with FUSE, which works without exFAT support in the kernel. */
interface MountedDisk {
  readonly path: string;
  /** Unmounts the disk and mounts it again, as when a stick is put into another machine. */
  remount(): boolean;
  /** Unmounts the disk and returns true if its file system has no error. */
  isClean(): boolean;
}

/**
 * Creates and mounts an exFAT disk. Returns null if this fails, for example without permission to
 * mount or without a loop device.
 */
async function mountDisk(): Promise<MountedDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-exfat-'));
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')];
  await mkdir(path);
  await writeFile(image, '');
  await truncate(image, 64 * 2 ** 20);
  const made = run('mkfs.exfat', image).status === 0;
  const device = made ? run('losetup', '-f', '--show', image).stdout.trim() : '';
  onTestFinished(async () => {
    run('umount', path);
    if (device !== '') run('losetup', '-d', device);
    await rm(folder, { recursive: true });
  });
  const mount = () => run('mount.exfat-fuse', device, path).status === 0;
  const unmount = () => run('umount', path).status === 0;
  if (device === '' || !mount()) return null;
  return {
    path,
    remount: () => unmount() && mount(),
    isClean: () => unmount() && run('fsck.exfat', '-n', device).status === 0,
  };
}

const skipReason = toolsSkipReason('mkfs.exfat', 'mount.exfat-fuse');

describe('a build on exFAT', () => {
  test.skipIf(skipReason !== null)(
    `adds a tree, changes it after a remount, and removes it without disk errors ${skipReason ?? ''}`,
    async ({ skip }) => {
      const disk = await mountDisk();
      if (disk === null) return skip('skipped: exFAT cannot be mounted here');
      const library = await useBuildLibrary({ 'One (Europe)': 'one', 'Two (Europe)': 'two' });
      expect(countsOf(await library.build(disk.path))).toEqual({ add: 3 });
      expect(disk.remount()).toBe(true);
      expect(countsOf(await library.build(disk.path, { isVerified: true }))).toEqual({ keep: 3 });

      const list = join(disk.path, 'gb/gamelist.xml');
      const played = (await readFile(list, 'utf8')).replace(
        '</name>',
        '</name><favorite>true</favorite>',
      );
      await writeFile(list, played);
      await writeFiles(disk.path, { 'gb/One (Europe).srm': 'saved' });
      await library.name({ 'One (World)': 'one', 'Two (Europe)': 'two' });
      expect(disk.remount()).toBe(true);
      expect(countsOf(await library.build(disk.path))).toEqual({ rename: 1, keep: 1, replace: 1 });
      expect(await readFile(list, 'utf8')).toContain('<favorite>true</favorite>');
      expect(Object.keys(await filesIn(disk.path)).sort()).toEqual([
        'gb/One (Europe).srm',
        'gb/One (World).gb',
        'gb/Two (Europe).gb',
        'gb/gamelist.xml',
      ]);

      expect(disk.remount()).toBe(true);
      await library.undo(disk.path);
      const left = await filesIn(disk.path);
      expect(Object.keys(left).sort()).toEqual(['gb/One (Europe).srm', 'gb/gamelist.xml']);
      expect(left['gb/gamelist.xml']).toContain('<favorite>true</favorite>');
      expect(disk.isClean()).toBe(true);
    },
  );
});
