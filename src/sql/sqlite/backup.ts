import { randomUUID } from 'node:crypto';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { refused } from '../../core/shared/errors.ts';
import { syncFolder } from './sync-folder.ts';
import { DatabaseThread } from './thread.ts';

/**
 * Writes a consistent copy of `database` to `file`: aside in the same folder, fsynced, then renamed. It has a
 * thread of its own and may run while others read and write. Throws refused() when `file` exists and
 * `replace` is not set.
 */
export async function backUp(database: string, file: string, replace: boolean): Promise<void> {
  if (!replace) await refuseExisting(file);
  const aside = join(dirname(file), `.catalog-${randomUUID()}.tmp`);
  try {
    await createEmpty(aside, file);
    await copyTo(database, aside);
    await sync(aside);
    if (!replace) await refuseExisting(file);
    await rename(aside, file).catch((error) => refuseWriting(file, error));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw refused(`${file} exists already: give another name for the backup`);
}

// Before SQLite opens it, so that nobody else can read the copy.
async function createEmpty(aside: string, file: string): Promise<void> {
  try {
    await (await open(aside, 'wx', 0o600)).close();
  } catch (error) {
    refuseWriting(dirname(file), error);
  }
}

/** Names what was given, not the file aside. */
function refuseWriting(path: string, error: unknown): never {
  const { errno = 0, message } = error as NodeJS.ErrnoException;
  const reason = getSystemErrorMap().get(errno)?.[1] ?? message;
  throw refused(`cannot write to ${path}: ${reason}`, error);
}

async function copyTo(database: string, aside: string): Promise<void> {
  const thread = await DatabaseThread.start(database, 'reader', aside);
  try {
    await thread.ask({ op: 'backup', to: aside });
  } finally {
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
