import { createHash } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFilename } from '../core/shared/errors.ts';
import type { StagedFile, StoredFile } from '../core/shared/file-area.ts';
import { asStorageError, codeOf } from './disk-error.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { isPlainName, storedFile } from './locate.ts';
import { ownerMark } from './owner.ts';
import { writeAll } from './write-all.ts';

/**
 * Writes bytes into `tmp`; published, they appear in `folder`, which must be on the same file system. After any
 * failure, a failed fsync included, nothing is left of them.
 */
export async function stageFile(
  options: { folder: string; tmp: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<StagedFile> {
  const path = join(options.tmp, ownerMark());
  const written = await orDiscard(path, () => write(path, options.tmp, bytes));
  return {
    ...written,
    publish: (name) => orDiscard(path, () => publish(path, options.folder, name)),
    discard: () => discard(path),
  };
}

async function orDiscard<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await discard(path);
    throw asStorageError(error);
  }
}

async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {}); // what stays is swept at the next start
}

async function write(
  path: string,
  tmp: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const handle = await openNew(path, tmp);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      await writeAll(handle, chunk, size);
      size += chunk.byteLength;
    }
    await handle.sync();
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
  await handle.close();
  return { size, sha256: hash.digest('hex') };
}

async function openNew(path: string, tmp: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(tmp, { recursive: true });
    return open(path, 'wx');
  }
}

/** Gives a file, safe on disk, its name in `folder`. */
export async function publish(path: string, folder: string, name: string): Promise<StoredFile> {
  if (!isPlainName(name)) throw invalidFilename();
  await makeFolder(folder);
  const seconds = freshTime() / 1000;
  await utimes(path, seconds, seconds);
  const stat = await lstat(path, { bigint: true });
  await rename(path, join(folder, name)).catch((error: unknown) => {
    throw codeOf(error) === 'EISDIR' ? invalidFilename() : error;
  });
  await syncFolder(folder);
  return storedFile(name, stat);
}

let lastTime = 0;

/**
 * Now, in milliseconds, and later than every time before: a file system's own clock stands still for up to 10 ms,
 * in which two files could get one tag, or neither of two covers be the newer one.
 */
function freshTime(): number {
  lastTime = Math.max(Date.now(), lastTime + 0.01);
  return lastTime;
}
