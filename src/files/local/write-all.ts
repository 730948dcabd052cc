import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes to the file, starting at offset `position`. */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const left = bytes.byteLength - done;
    const { bytesWritten } = await handle.write(bytes, done, left, position + done);
    if (bytesWritten === 0) throw new Error('the disk accepted no bytes');
    done += bytesWritten;
  }
}
