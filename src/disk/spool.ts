import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnDiskFailure } from '../core/library/file-failures.ts';
import { refused } from '../core/shared/errors.ts';
import { failureOf } from './file-failure.ts';
import { type ImageFile, imageFile } from './image-file.ts';

/** What is unpacked to a file at most: twice a dual-layer DVD. */
const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Gives a stream as a file to whoever has to read it here and there. The file has no name any more while it is used, so that
 * the system removes it whatever happens. Throws a refused `CatalogError` over 16 GiB, `OwnDiskFailure` when the file cannot
 * be written or read, and what the stream throws.
 */
export async function withSpooled<Result>(
  pieces: AsyncIterable<Buffer>,
  folder: string,
  use: (file: ImageFile) => Promise<Result>,
): Promise<Result> {
  const onOwnDisk = <Done>(step: () => Promise<Done>) =>
    step().catch((error) => fail(folder, error));
  const handle = await onOwnDisk(() => openNameless(folder));
  try {
    let size = 0;
    for await (const piece of pieces) {
      if (size + piece.length > MOST_BYTES)
        throw refused('it holds a packed image of more than 16 GiB');
      await onOwnDisk(() => writeAll(handle, piece, size));
      size += piece.length;
    }
    const file = imageFile(handle, size);
    return await use({
      size,
      read: (offset, length) => onOwnDisk(() => file.read(offset, length)),
      close: () => file.close(),
    });
  } finally {
    await handle.close();
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `unpacked-${randomUUID()}`);
  // what sweeps it or writes there first may not have made it yet
  await mkdir(folder, { recursive: true });
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeAll(handle: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    done += (await handle.write(piece, done, piece.length - done, at + done)).bytesWritten;
  }
}

/** What the system says of our own file is not said of the one that is unpacked. */
function fail(folder: string, error: unknown): never {
  if (failureOf(error)?.kind !== 'disk') throw error;
  throw new OwnDiskFailure(`it cannot be unpacked to ${folder}: ${(error as Error).message}`);
}
