import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { insufficientStorage, refused } from '../../../core/shared/errors.ts';
import { systemReason } from '../../../core/shared/system-reason.ts';

/**
 * Size of a seal, in bytes. This size does not depend on the page size of the database. SQLite
 * ignores data after the last page.
 */
const sealBytes = 4096;
const sealPrefix = 'Catalog backup, SHA-256 of all before: ';
const databaseHeader = 'SQLite format 3\0';

/**
 * Appends a seal to a copy of a database. The seal is the SHA-256 of the copy's content. SQLite
 * ignores the seal.
 */
export async function sealCopy(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r+');
    try {
      const { size } = await handle.stat();
      await handle.write(await sealOf(handle, size), 0, sealBytes, size);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw insufficientStorage(error);
    throw refused(`cannot write to ${file}: ${systemReason(error)}`, error);
  }
}

/**
 * Returns the size of the database copy in a file, without its seal, in bytes. Returns null if the
 * file is not a database. Throws refused() if the copy is truncated, or was changed after it was
 * sealed. Older versions made copies without a seal. Only the length of such a copy is checked.
 */
export async function sizeOfCopy(file: string): Promise<number | null> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(100);
    await handle.read(head, 0, head.length, 0);
    if (head.toString('latin1', 0, databaseHeader.length) !== databaseHeader) return null;
    // See https://www.sqlite.org/fileformat2.html#the_database_header. The value 1 means a page
    // size of 65,536.
    const page = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    const length = page * head.readUInt32BE(28);
    if (size === length) return length;
    if (size === length + sealBytes) {
      const last = Buffer.alloc(sealBytes);
      await handle.read(last, 0, sealBytes, length);
      if (last.equals(await sealOf(handle, length))) return length;
    }
    throw refused(`${file} is truncated or was changed since it was written: nothing was restored`);
  } finally {
    await handle.close();
  }
}

async function sealOf(handle: FileHandle, size: number): Promise<Buffer> {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, size - at), at);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  const seal = Buffer.alloc(sealBytes);
  seal.write(`${sealPrefix}${hash.digest('hex')}\n`);
  return seal;
}
