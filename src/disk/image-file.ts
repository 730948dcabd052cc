import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { refused } from '../core/shared/errors.ts';
import { checkRange, type ImageBytes } from './image-bytes.ts';

/** An open file as an image. */
export interface ImageFile extends ImageBytes {
  close(): Promise<void>;
}

/**
 * Counts the reads that identifying a file needs. Throws when they exceed what any real file needs.
 */
export interface ReadBudget {
  take(bytes: number): void;
}

// Limits far above what real files need (some 10 reads). A file that exceeds them was made to need
// endless reads.
const MOST_READS = 4096;
const MOST_BYTES = 64 * 1024 * 1024;

/** Returns the budget of one identification, for all files that it opens. */
export function readBudget(): ReadBudget {
  let reads = 0;
  let bytes = 0;
  return {
    take(length) {
      reads += 1;
      bytes += length;
      if (reads > MOST_READS || bytes > MOST_BYTES) {
        throw refused('it needs more reads than any real file');
      }
    },
  };
}

/**
 * Opens a file for reading; without a budget the number of reads is unlimited. Throws the system's
 * error when it cannot be opened or read. Throws a refused `CatalogError` if it is not a regular
 * file (a FIFO does not hang).
 */
export async function openImageFile(path: string, budget?: ReadBudget): Promise<ImageFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw refused('it is no regular file');
    return imageFile(handle, stat.size, budget);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns an open file as an image, which takes over closing it. */
export function imageFile(handle: FileHandle, size: number, budget?: ReadBudget): ImageFile {
  const file = {
    size,
    async read(offset: number, length: number): Promise<Buffer> {
      checkRange(file, offset, length);
      const buffer = Buffer.allocUnsafe(length);
      await file.readInto(buffer, offset);
      return buffer;
    },
    async readInto(target: Buffer, offset: number): Promise<void> {
      const { length } = target;
      checkRange(file, offset, length);
      budget?.take(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(target, done, length - done, offset + done);
        if (bytesRead === 0) throw refused('it became shorter while it was read');
        done += bytesRead;
      }
    },
    close: () => handle.close(),
  };
  return file;
}
