import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { BackupWatch } from '../../core/backups/backup-report.ts';
import { refused } from '../../core/shared/errors.ts';
import { systemReason } from '../../core/shared/system-reason.ts';
import { damagedBackup } from './refusals.ts';

/**
 * Size in bytes of the end of every backup, which consists of four tar blocks of 512 bytes:
 * - the header of the checksum file,
 * - the content of the checksum file,
 * - two empty blocks.
 */
const tailBytes = 2048;
const pieceBytes = 256 * 1024;

/**
 * Returns the SHA-256 that is stored at the end of the backup, in lower-case hexadecimal. Returns
 * null if the file does not end like a backup.
 */
export async function readTrailingChecksum(
  backup: FileHandle,
  size: number,
): Promise<string | null> {
  const tail = Buffer.alloc(tailBytes);
  if (size < tailBytes || size % 512 !== 0) return null;
  await backup.read(tail, 0, tailBytes, size - tailBytes);
  const sum = tail.toString('latin1', 512, 576);
  const rest = Buffer.concat([Buffer.from(`${sum}\n`), Buffer.alloc(tailBytes - 512 - 65)]);
  return /^[0-9a-f]{64}$/.test(sum) && tail.subarray(512).equals(rest) ? sum : null;
}

/**
 * Writes the bytes of the backup to the tar decoder `to`. Returns the SHA-256 of all bytes except
 * the last `tailBytes`, in lower-case hexadecimal. Throws refused() if the backup cannot be read to
 * its end, or the reason of `signal` if aborted.
 */
export async function feedBackup(
  backup: FileHandle,
  file: string,
  size: number,
  to: WritableStream<Uint8Array>,
  { signal, onProgress }: BackupWatch,
): Promise<string> {
  const writer = to.getWriter();
  const hash = createHash('sha256');
  try {
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const summed = at < size - tailBytes;
      const length = Math.min(pieceBytes, (summed ? size - tailBytes : size) - at);
      const { bytesRead, buffer } = await backup
        .read(Buffer.allocUnsafeSlow(length), 0, length, at)
        .catch((error: unknown) => {
          throw refused(`cannot read ${file}: ${systemReason(error)}`, error);
        });
      if (bytesRead === 0) throw damagedBackup(file);
      const piece = buffer.subarray(0, bytesRead);
      if (summed) hash.update(piece);
      await writer.write(piece);
      at += bytesRead;
      onProgress({ step: 'files', done: at, total: size, name: '' });
    }
    await writer.close();
    return hash.digest('hex');
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  } finally {
    writer.releaseLock();
  }
}
