import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from '../core/shared/errors.ts';
import { type ImageFile, imageFile } from './image-file.ts';

/** What is unpacked to a file at most: twice a dual-layer DVD. */
const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Gives a stream as a file to whoever has to read it here and there. The file has no name any more while it is used, so that
 * the system removes it whatever happens. Throws a refused `CatalogError` over 16 GiB, and what the system says when it cannot
 * be written.
 */
export async function withSpooled<Result>(
  pieces: AsyncIterable<Buffer>,
  folder: string,
  use: (file: ImageFile) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, `unpacked-${randomUUID()}`);
  // what sweeps it or writes there first may not have made it yet
  await mkdir(folder, { recursive: true });
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const piece of pieces) {
      if (size + piece.length > MOST_BYTES)
        throw refused('it holds a packed image of more than 16 GiB');
      for (let done = 0; done < piece.length; ) {
        done += (await handle.write(piece, done, piece.length - done, size + done)).bytesWritten;
      }
      size += piece.length;
    }
    return await use(imageFile(handle, size));
  } finally {
    await handle.close();
  }
}
