import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { damagedUpload } from '../../../core/shared/errors.ts';
import type { OpenedFile } from '../../../core/shared/files/file-area.ts';
import type { FetchedFile } from '../../../core/uploads/ports.ts';
import { appendTo } from '../../uploads/append.ts';
import { ownerMark } from '../../process-mark.ts';

/**
 * Implements `UploadFiles.fetch`: copies the file to `tmp` and verifies its SHA-256. Throws
 * `damaged upload` if the SHA-256 differs. After a crash, `sweepTmp` removes leftovers from `tmp`.
 */
export async function fetchObject(
  file: OpenedFile,
  { tmp, sha256, signal }: { tmp: string; sha256: string; signal: AbortSignal },
): Promise<FetchedFile> {
  const path = join(tmp, ownerMark());
  const drop = () => rm(path, { force: true }).catch(() => {});
  const hash = createHash('sha256');
  async function* read() {
    for await (const piece of file.stream()) {
      signal.throwIfAborted();
      hash.update(piece);
      yield piece;
    }
  }
  try {
    await appendTo(path, 0, read());
    if (hash.digest('hex') !== sha256) throw damagedUpload();
  } catch (error) {
    await drop();
    throw error;
  }
  return { path, drop };
}
