import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refused } from '../../core/shared/errors.ts';
import { systemReason } from '../../core/shared/system-reason.ts';
import { SqlError, toOpenError } from './errors.ts';
import { DatabaseThread } from './thread.ts';

/**
 * Writes a consistent copy of `database` to `file`, which must not exist yet, readable by its owner
 * only. The copy is safe on disk when the promise resolves. It uses its own thread, so others may
 * read and write meanwhile. A copy that fails leaves nothing behind. Throws the signal's reason, or
 * refused() when a disk or the database is at fault.
 */
export async function copyDatabase(
  database: string,
  file: string,
  options: { signal?: AbortSignal | undefined; fixed: Fixed },
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  await createEmpty(file);
  try {
    await copyTo(database, file, options);
    await sync(file);
  } catch (error) {
    // On a full disk SQLite may leave its journal behind.
    for (const left of [file, `${file}-journal`]) await rm(left, { force: true });
    throw signal?.aborted ? signal.reason : explained(error, database, file);
  }
}

// Creates the file before SQLite opens it, so that no other user can read the copy.
async function createEmpty(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    throw refused(`cannot write to ${dirname(file)}: ${systemReason(error)}`, error);
  }
}

/** Calls `fix`, which fixes the state to copy. */
export type Fixed = (fix: () => Promise<void>) => Promise<void>;

async function copyTo(
  database: string,
  file: string,
  { signal, fixed }: { signal?: AbortSignal | undefined; fixed: Fixed },
): Promise<void> {
  const thread = await DatabaseThread.start(database, 'reader', file);
  const stop = () => thread.tell({ op: 'stop-backup' });
  signal?.addEventListener('abort', stop);
  try {
    await fixed(() => thread.ask({ op: 'fix-state' }));
    await thread.ask({ op: 'backup', to: file });
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.stop();
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns a one-line error for a failing disk or a damaged database. */
function explained(error: unknown, database: string, file: string): unknown {
  if (error instanceof SqlError && error.code.startsWith('SQLITE_IOERR')) {
    return refused(`cannot copy ${database} to ${dirname(file)}: ${error.message}`, error);
  }
  return toOpenError(error, database);
}
