import { randomBytes } from 'node:crypto';
import { existsSync, truncateSync } from 'node:fs';
import { chmod, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { StepProblem } from '../../src/core/builds/ports.ts';
import { KernelCopier } from '../../src/files/builds/kernel-copier.ts';
import { ContentWriter } from '../../src/files/builds/write-content.ts';

const mebibyte = 2 ** 20;
const notLinux = process.platform === 'linux' ? null : 'skipped: needs Linux';

let folder: string;
let path: string;
let to: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-copier-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  [path, to] = [join(folder, 'source'), join(folder, 'target')];
});

async function sourceOf() {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return { id: 1, root: folder, path, size: Number(size), mtimeNs, sha1: null };
}

/** Copies a file of 512 MiB in parts, and calls `during` for each part. */
async function copyLarge(signal: AbortSignal, during: () => void): Promise<boolean> {
  await writeFile(path, '');
  await truncate(path, 512 * mebibyte);
  const from = await open(path);
  onTestFinished(() => from.close());
  const options = { signal, onBytes: during };
  return new KernelCopier().copy(from, to, await sourceOf(), options, 64 * mebibyte);
}

describe('the kernel copier', () => {
  test('copies a large file with the permissions of a new file', async () => {
    const content = randomBytes(40 * mebibyte);
    await writeFile(path, content);
    await chmod(path, 0o444);
    const { ino } = await stat(path, { bigint: true });
    const writer = new ContentWriter(async () => ({ inode: ino }), { hasReflinks: false });
    let bytes = 0;
    const onBytes = (count: number) => {
      bytes += count;
    };
    const { signal } = new AbortController();
    const options = { mode: 'copy', isVerified: true, signal, onBytes } as const;
    await writer.write(to, { from: 'library', source: await sourceOf() }, options);
    expect(bytes).toBe(content.length);
    expect((await readFile(to)).equals(content)).toBe(true);
    expect((await stat(to)).mode & 0o777).toBe(0o644);
  });

  test.skipIf(notLinux !== null)(
    `leaves no file of an aborted copy ${notLinux ?? ''}`,
    async () => {
      const stopped = new AbortController();
      const copy = copyLarge(stopped.signal, () => stopped.abort(new Error('stopped')));
      await expect(copy).rejects.toThrow('stopped');
      expect(existsSync(to)).toBe(false);
    },
  );

  test.skipIf(notLinux !== null)(
    `fails if the source is truncated during the copy, and leaves no file ${notLinux ?? ''}`,
    async () => {
      const copy = copyLarge(new AbortController().signal, () => truncateSync(path, 0));
      await expect(copy).rejects.toThrow(StepProblem);
      expect(existsSync(to)).toBe(false);
    },
  );

  test('reports that nothing was copied if the target folder does not exist', async () => {
    await writeFile(path, 'game');
    const from = await open(path);
    onTestFinished(() => from.close());
    const options = { signal: new AbortController().signal, onBytes() {} };
    const copy = new KernelCopier().copy(
      from,
      join(folder, 'no', 'x'),
      await sourceOf(),
      options,
      1,
    );
    expect(await copy).toBe(false);
  });
});
