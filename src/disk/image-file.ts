import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { refused } from '../core/shared/errors.ts';
import { checkRange, type ImageBytes } from './image-bytes.ts';

/** An open file that can be read as an image. The owner must close the file. */
export interface ImageFile extends ImageBytes {
  close(): Promise<void>;
}

/**
 * A limit for the reads while one file is identified. `spend` counts a read of `bytes` bytes, and
 * throws a `CatalogError` of kind `refused` above the limit.
 */
export interface ReadBudget {
  spend(bytes: number): void;
}

// Limits of a budget, far above the 10 or so reads that a real file needs. A file that exceeds the
// limits was probably made to cause endless reads.
const MAX_READS = 4096;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns a new budget for identifying one file. The reads of other files that are opened for the
 * identification also count.
 */
export function readBudget(): ReadBudget {
  let reads = 0;
  let bytes = 0;
  return {
    spend(length) {
      reads += 1;
      bytes += length;
      if (reads > MAX_READS || bytes > MAX_BYTES) {
        throw refused('it needs more reads than any real file');
      }
    },
  };
}

/**
 * Opens a file for reading. Without a budget, the number of reads is unlimited. Throws the
 * operating system's error if the file cannot be opened. Throws a `CatalogError` of kind `refused`
 * if the path is not a regular file. Opening a FIFO does not block.
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

/** Returns an open file as an image. Closing the image closes the file. */
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
      budget?.spend(length);
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
