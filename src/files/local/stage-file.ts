import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedFile } from '../../core/shared/files/file-area.ts';
import type { OwnFiles } from '../own-files.ts';
import { ownerMark } from '../process-mark.ts';
import { asStorageError, codeOf } from './disk-error.ts';
import { createPublisher } from './publisher.ts';
import { writeAll } from './write-all.ts';

/**
 * Writes bytes to a file in `tmp`. Publishing moves the file to `folder`, which must be on the same
 * file system. The file is removed after any failure, even of fsync.
 */
export async function stageFile(
  options: { folder: string; tmp: string; own?: OwnFiles | undefined },
  bytes: AsyncIterable<Uint8Array>,
): Promise<StagedFile> {
  const path = join(options.tmp, ownerMark());
  const written = await discardOnError(path, () => write(path, options.tmp, bytes));
  const { publish, takeBack } = createPublisher(path, options.folder, options.own);
  return {
    ...written,
    publish: (name) => discardOnError(path, () => publish(name)),
    takeBack,
    discard: () => discard(path),
  };
}

async function discardOnError<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await discard(path);
    throw asStorageError(error);
  }
}

async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {}); // a leftover is swept at the next start
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
