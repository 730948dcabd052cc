import { type FileHandle, open } from 'node:fs/promises';
import type { BackupWatch } from '../../core/backups/backup-report.ts';
import { writeAll } from '../local/write-all.ts';
import { damagedBackup } from './refusals.ts';
import { withPathInErrors } from './write-atomically.ts';

const pieceBytes = 1024 * 1024;

/**
 * Copies the database from a backup that contains only a database, which is the first `size` bytes.
 * Returns `size`. Throws refused() if the backup is shorter.
 */
export async function unpackDatabase(
  { handle, file, size }: { handle: FileHandle; file: string; size: number },
  to: string,
  { signal, onProgress }: BackupWatch,
): Promise<number> {
  await withPathInErrors(to, async () => {
    const target = await open(to, 'wx', 0o600);
    try {
      const piece = Buffer.alloc(pieceBytes);
      for (let at = 0; at < size; ) {
        signal.throwIfAborted();
        const { bytesRead } = await handle.read(piece, 0, Math.min(pieceBytes, size - at), at);
        if (bytesRead === 0) throw damagedBackup(file);
        await writeAll(target, piece.subarray(0, bytesRead), at);
        at += bytesRead;
        onProgress({ step: 'files', done: at, total: size, name: 'catalog.db' });
      }
      await target.sync();
    } finally {
      await target.close();
    }
  });
  return size;
}
