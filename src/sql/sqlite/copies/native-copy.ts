import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refused } from '../../../core/shared/errors.ts';
import { systemReason } from '../../../core/shared/system-reason.ts';
import { SqlError, toOpenError } from '../errors.ts';
import { DatabaseThread } from '../threads/thread.ts';

/**
 * Writes a consistent copy of `database` to the new file `file`, which only its owner can read. The
 * copy is made on a separate thread, so other work may read and write meanwhile. When the promise
 * resolves, the contents of the copy are durable, but its directory entry is not yet durable. If
 * copying fails, no file is left behind. When the signal is aborted, throws the signal's reason.
 * Throws refused() if a disk fails, or if the database cannot be read.
 */
export async function copyDatabase(
  database: string,
  file: string,
  options: { signal?: AbortSignal | undefined; withFixedState: WithFixedState },
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  await createEmpty(file);
  try {
    await copyTo(database, file, options);
    await sync(file);
  } catch (error) {
    // Removes the journal too, because SQLite may leave it behind on a full disk.
    for (const left of [file, `${file}-journal`]) await rm(left, { force: true });
    throw signal?.aborted ? signal.reason : toCopyError(error, database, file);
  }
}

// Creates the file before SQLite opens it, so that other users can never read the copy.
async function createEmpty(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    throw refused(`cannot write to ${dirname(file)}: ${systemReason(error)}`, error);
  }
}

/** A function that calls `fix` once. The copy contains the state of the database at this call. */
export type WithFixedState = (fix: () => Promise<void>) => Promise<void>;

async function copyTo(
  database: string,
  file: string,
  { signal, withFixedState }: { signal?: AbortSignal | undefined; withFixedState: WithFixedState },
): Promise<void> {
  const thread = await DatabaseThread.start(database, 'reader', file);
  const stop = () => thread.post({ op: 'stop-backup' });
  signal?.addEventListener('abort', stop);
  try {
    await withFixedState(() => thread.request({ op: 'fix-state' }));
    await thread.request({ op: 'backup', to: file });
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

/**
 * Returns the error to throw. If a disk fails or the database is damaged, the error's message
 * states the reason in one line.
 */
function toCopyError(error: unknown, database: string, file: string): unknown {
  if (error instanceof SqlError && error.code.startsWith('SQLITE_IOERR')) {
    return refused(`cannot copy ${database} to ${dirname(file)}: ${error.message}`, error);
  }
  return toOpenError(error, database);
}
