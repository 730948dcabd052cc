import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { OpenedFile, StoredFile } from '../../core/shared/files/file-area.ts';
import type { OwnFiles } from '../own-files.ts';
import { isGone } from './disk-error.ts';
import { locate, storedFile } from './locate.ts';

// Size of a stream's buffers, in bytes. V8 lets up to 64 MiB of buffers accumulate before V8 frees
// unused buffers. So responses do not use this stream but have their own buffers.
const READ_SIZE = 32 * 1024;
// After the file was located, a link or a FIFO may have replaced it. Do not follow a link, and do
// not hang on a FIFO.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file of the area; returns null if there is no such file. The file's size, time and entity
 * tag are read from the open file.
 */
export async function openFile(
  folder: string,
  name: string,
  own?: OwnFiles,
): Promise<OpenedFile | null> {
  const located = await locate(folder, name, own);
  return located && openPath(located.path, own, name);
}

/**
 * Opens the regular file at a path. Returns null if there is no such file, if it is one of the
 * `own` files, or if the path is a link. Does not check whether a folder of the path is a link.
 */
export async function openPath(
  path: string,
  own: OwnFiles | undefined,
  name = basename(path),
): Promise<OpenedFile | null> {
  const handle = await openLocated(path);
  if (!handle) return null;
  try {
    const stat = await handle.stat({ bigint: true });
    if (stat.isFile() && !own?.has(stat)) return openedFile(handle, storedFile(name, stat));
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

async function openLocated(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function openedFile(handle: FileHandle, file: StoredFile): OpenedFile {
  let state: 'open' | 'streamed' | 'closed' = 'open';
  return {
    ...file,
    async head(length) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    },
    async read(buffer, position) {
      return (await handle.read(buffer, 0, buffer.byteLength, position)).bytesRead;
    },
    stream(range) {
      if (state !== 'open') throw new Error(`${file.name} was already streamed or closed`);
      state = 'streamed';
      return readRange(handle, range ?? { start: 0, end: file.size - 1 }, file.name);
    },
    async close() {
      if (state !== 'open') return;
      state = 'closed';
      await handle.close();
    },
  };
}

/**
 * Returns a stream of a range. Unlike `createReadStream`, the stream fails if the file ends before
 * the range does. So no response is silently truncated.
 */
function readRange(
  handle: FileHandle,
  range: { start: number; end: number },
  name: string,
): Readable {
  let position = range.start;
  async function readOn(stream: Readable): Promise<void> {
    const length = Math.min(READ_SIZE, range.end - position + 1);
    if (length <= 0) {
      stream.push(null);
      return;
    }
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafeSlow(length),
      0,
      length,
      position,
    );
    if (bytesRead === 0) throw new Error(`${name} became shorter while it was read`);
    position += bytesRead;
    if (!stream.destroyed) stream.push(buffer.subarray(0, bytesRead));
  }
  return new Readable({
    highWaterMark: READ_SIZE,
    read() {
      readOn(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (closeError: Error) => done(error ?? closeError),
      );
    },
  });
}
