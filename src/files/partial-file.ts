import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartialFile } from '../core/imports/catalogue/ports.ts';
import { hasSpaceFor } from './free-bytes.ts';
import { asStorageError, isGone } from './local/disk-error.ts';
import { writeAll } from './local/write-all.ts';

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;

/**
 * Returns the file in `tmp` for the download of a URL. Its name contains no process mark, so that
 * `sweepTmp` keeps the file for the next process until the file is a day old.
 */
export function partialFile(tmp: string, url: string): PartialFile {
  const name = `download-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
  const path = join(tmp, `${name}.zip`);
  const tagPath = join(tmp, `${name}.tag`);
  return {
    path,
    async find() {
      try {
        const { size } = await stat(path);
        return { size, tag: (await readFile(tagPath, 'utf8')) || null };
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    hasSpaceFor: (bytes) => hasSpaceFor(tmp, bytes),
    async write({ offset, tag }, bytes, onWritten) {
      try {
        await mkdir(tmp, { recursive: true });
        const handle = await open(path, flags, 0o600);
        try {
          // Drop the former bytes before their tag, so that the new tag never describes them.
          await handle.truncate(offset);
          await writeFile(tagPath, tag ?? '');
          let position = offset;
          for await (const chunk of bytes) {
            await writeAll(handle, chunk, position);
            position += chunk.byteLength;
            onWritten(position);
          }
          await handle.sync();
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw asStorageError(error);
      }
    },
    async remove() {
      await rm(path, { force: true });
      await rm(tagPath, { force: true });
    },
  };
}
