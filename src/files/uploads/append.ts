import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CatalogError, damagedUpload } from '../../core/shared/errors.ts';
import type { BytesWatch } from '../../core/uploads/ports.ts';
import { asStorageError, isGone } from '../local/disk-error.ts';
import { makeFolder, syncFolder } from '../local/durable.ts';
import { writeAll } from '../local/write-all.ts';
import { SharedBlocks } from './shared-blocks.ts';

const openFlags = constants.O_RDWR | constants.O_NOFOLLOW;
/**
 * Number of bytes after which a file is synced while more bytes arrive. If the whole chunk were
 * synced at its end, the client would wait longer.
 */
const syncBytes = 4 * 1_048_576;

/**
 * Writes a chunk to the file at `path`, starting at byte `offset`. Creates a missing file if
 * `offset` is 0. For errors and guarantees, see `UploadFiles.append`.
 */
export async function appendTo(
  path: string,
  offset: number,
  bytes: AsyncIterable<Uint8Array>,
  watch?: BytesWatch,
): Promise<void> {
  try {
    const handle = offset === 0 ? await createFile(path) : await openExisting(path);
    try {
      await write(handle, offset, bytes, watch);
    } finally {
      await handle.close();
    }
    if (offset === 0) await syncFolder(dirname(path));
  } catch (error) {
    throw asStorageError(error);
  }
}

async function createFile(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path));
  return open(path, openFlags | constants.O_CREAT);
}

async function openExisting(path: string): Promise<FileHandle> {
  try {
    return await open(path, openFlags);
  } catch (error) {
    throw isGone(error) ? damagedUpload() : error;
  }
}

async function write(
  handle: FileHandle,
  offset: number,
  bytes: AsyncIterable<Uint8Array>,
  watch: BytesWatch | undefined,
): Promise<void> {
  if ((await handle.stat()).size < offset) throw damagedUpload();
  await handle.truncate(offset); // removes the bytes of an interrupted chunk
  let position = offset;
  let unsynced = 0;
  let written: Promise<void> = Promise.resolve();
  const blocks = new SharedBlocks((block) => {
    const start = position;
    position += block.byteLength;
    // Do one write or sync at a time, so that they occupy only one of the threads for file
    // operations.
    written = written.then(() => {
      watch?.beforeWrite();
      return writeAll(handle, block, start);
    });
    unsynced += block.byteLength;
    if (unsynced >= syncBytes) {
      unsynced = 0;
      written = written.then(() => handle.datasync());
    }
    return settleBoth([written, watch?.onBytes(block)]);
  });
  try {
    for await (const piece of bytes) await blocks.add(piece);
    await blocks.end();
    await settleBoth([handle.datasync(), watch?.check()]);
  } catch (error) {
    await blocks.close();
    // After `busy`, another process may have continued this upload. The bytes after `offset` may
    // belong to that process, so do not remove them.
    const isOurs = !(error instanceof CatalogError && error.kind === 'busy');
    if (isOurs) await handle.truncate(offset).catch(() => {}); // the next chunk truncates too
    throw error;
  }
  await blocks.close();
}

/** Works like `Promise.all`, but settles only when both promises have settled. */
async function settleBoth(work: [Promise<void>, Promise<void> | undefined]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
