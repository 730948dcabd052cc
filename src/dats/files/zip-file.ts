import { open } from 'node:fs/promises';
import { refused } from '../../core/shared/errors.ts';
import type { ZipBytes } from '../../zip/zip-bytes.ts';

/**
 * Opens a zip, which the caller must close. Throws the operating system's error if the zip cannot
 * be opened or read. `read` throws a refused `CatalogError` if the file ends before the requested
 * bytes.
 */
export async function openZipFile(path: string): Promise<ZipBytes & { close(): Promise<void> }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return {
      size,
      async read(offset, length) {
        if (offset + length > size) throw refused('it is cut, or points behind its end');
        const buffer = Buffer.allocUnsafe(length);
        for (let done = 0; done < length; ) {
          const { bytesRead } = await handle.read(buffer, done, length - done, offset + done);
          if (bytesRead === 0) throw refused('it became shorter while it was read');
          done += bytesRead;
        }
        return buffer;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
