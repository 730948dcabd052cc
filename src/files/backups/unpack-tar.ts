import type { FileHandle } from 'node:fs/promises';
import { createTarDecoder } from 'modern-tar';
import type { BackupWatch, RestoreReport } from '../../core/backups/backup-report.ts';
import { CatalogError } from '../../core/shared/errors.ts';
import { isSystemError } from '../../core/shared/system-reason.ts';
import { BackupUnpacker } from './backup-unpacker.ts';
import { feedBackup, readTrailingChecksum } from './feed-backup.ts';
import { damagedBackup } from './refusals.ts';

export function isTar(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar';
}

/**
 * Unpacks a backup below `staging`, and syncs the files to disk. Throws refused() if the backup is
 * truncated or if any byte was changed.
 */
export async function unpackTar(
  backup: FileHandle,
  file: string,
  staging: string,
  options: BackupWatch,
): Promise<RestoreReport> {
  const { size } = await backup.stat();
  const expected = await readTrailingChecksum(backup, size);
  if (expected === null) throw damagedBackup(file);
  const decoder = createTarDecoder({ strict: true });
  const feeding = feedBackup(backup, file, size, decoder.writable, options);
  feeding.catch(() => undefined); // the error is thrown below
  const unpacking = new BackupUnpacker(file, staging);
  try {
    for await (const entry of decoder.readable) await unpacking.unpackEntry(entry);
  } catch (error) {
    await unpacking.close();
    await decoder.writable.abort(error).catch(() => undefined);
    // If reading the backup failed with a CatalogError, this error caused the decoder's error. So
    // throw the CatalogError instead.
    const cause = await feeding.then(
      () => error,
      (fed: unknown) => (fed instanceof CatalogError ? fed : error),
    );
    if (options.signal.aborted) throw options.signal.reason;
    throw cause instanceof CatalogError || isSystemError(cause) ? cause : damagedBackup(file);
  }
  try {
    if ((await feeding) !== expected) throw damagedBackup(file);
    return await unpacking.end();
  } finally {
    await unpacking.close();
  }
}
