/** @module-tag full */

import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuildMode, StepProblem } from '../../src/core/builds/ports.ts';
import { diskOf, mayClone } from '../../src/files/builds/target-file-system.ts';
import { ContentWriter } from '../../src/files/builds/write-content.ts';

const mebibyte = 2 ** 20;
const content = Buffer.alloc(30 * mebibyte, 'game');

let folder: string;
let disk: string;
let isMounted = false;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-xfs-'));
  disk = join(folder, 'disk');
  await mkdir(disk);
  const image = join(folder, 'image');
  await writeFile(image, '');
  await truncate(image, 400 * mebibyte);
  const made = spawnSync('mkfs.xfs', ['-q', '-m', 'reflink=1', image]).status === 0;
  isMounted = made && spawnSync('mount', ['-o', 'loop', image, disk]).status === 0;
});
afterAll(async () => {
  if (isMounted) spawnSync('umount', [disk]);
  await rm(folder, { recursive: true });
});

/**
 * Writes a file in this mode. Returns the number of bytes by which the free space of the XFS disk
 * shrank.
 */
async function bytesTaken(mode: BuildMode, from: string, to: string): Promise<number> {
  const path = join(from, 'source');
  await writeFile(path, content);
  await chmod(path, 0o444);
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  const source = { id: 1, root: from, path, size: Number(size), mtimeNs, sha1: null };
  const writer = new ContentWriter(async () => ({ inode: ino }), { hasReflinks: true });
  const free = async () => {
    spawnSync('sync', ['-f', disk]);
    const { bfree, bsize } = await statfs(disk);
    return bfree * bsize;
  };
  const before = await free();
  const options = { mode, isVerified: true, signal: new AbortController().signal, onBytes() {} };
  await writer.write(to, { from: 'library', source }, options);
  expect((await readFile(to)).equals(content)).toBe(true);
  expect((await stat(to)).mode & 0o777).toBe(0o644);
  const after = await free();
  await rm(to);
  return before - after;
}

describe('the writer of built files', () => {
  test('shares the blocks of files if the file system supports it, and copies otherwise', async ({
    skip,
  }) => {
    if (!isMounted) return skip('skipped: XFS cannot be made or mounted here');
    const to = join(disk, 'target');
    for (const mode of ['auto', 'reflink'] as const) {
      expect(await bytesTaken(mode, disk, to)).toBeLessThan(2 * mebibyte);
    }
    const target = await diskOf(disk);
    expect([await mayClone(disk, target), await mayClone(folder, target)]).toEqual([true, false]);
    expect(await bytesTaken('copy', disk, to)).toBeGreaterThan(29 * mebibyte);
    expect(await bytesTaken('auto', folder, to)).toBeGreaterThan(29 * mebibyte);
    const refused = bytesTaken('reflink', folder, to);
    await expect(refused).rejects.toThrow('cannot be shared (EXDEV): use --mode copy');
    await expect(refused).rejects.not.toBeInstanceOf(StepProblem);
  });
});
