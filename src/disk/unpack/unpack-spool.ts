import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SpoolDiskFailure } from '../../core/library/file-failures.ts';
import { refused } from '../../core/shared/errors.ts';
import { failureOf } from '../file-failure.ts';
import { type ImageFile, imageFile } from '../image-file.ts';

/**
 * Maximum size of content that is unpacked to a file, in bytes. This is about twice a dual-layer
 * DVD.
 */
const MAX_BYTES = 16 * 1024 ** 3;

/**
 * Writes a stream to a temporary file in `folder`, and calls `use` with the file. Unlike the
 * stream, the file has random access. The file is unlinked directly after creation, so the
 * operating system deletes it even after a crash. Throws a `CatalogError` of kind `refused` if the
 * stream has more than 16 GiB. Throws `SpoolDiskFailure` if the file cannot be written or read.
 * Errors of the stream are rethrown.
 */
export async function withSpooled<Result>(
  pieces: AsyncIterable<Buffer>,
  folder: string,
  use: (file: ImageFile) => Promise<Result>,
): Promise<Result> {
  const onSpoolDisk = <Done>(step: () => Promise<Done>) =>
    step().catch((error) => fail(folder, error));
  const handle = await onSpoolDisk(() => openUnlinkedFile(folder));
  try {
    let size = 0;
    for await (const piece of pieces) {
      if (size + piece.length > MAX_BYTES)
        throw refused('it holds a packed image of more than 16 GiB');
      await onSpoolDisk(() => writeAll(handle, piece, size));
      size += piece.length;
    }
    const file = imageFile(handle, size);
    return await use({
      size,
      read: (offset, length) => onSpoolDisk(() => file.read(offset, length)),
      close: () => file.close(),
    });
  } finally {
    await handle.close();
  }
}

async function openUnlinkedFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `unpacked-${randomUUID()}`);
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

/**
 * Throws an operating system's error of the temporary file as a `SpoolDiskFailure`. Otherwise the
 * error would look like an error of the archive. Other errors are thrown unchanged.
 */
function fail(folder: string, error: unknown): never {
  if (failureOf(error)?.kind !== 'disk') throw error;
  throw new SpoolDiskFailure(`it cannot be unpacked to ${folder}: ${(error as Error).message}`);
}
