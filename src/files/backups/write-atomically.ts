import { access, lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { entriesOf } from '../local/count-tree.ts';
import { asStorageError } from '../local/disk-error.ts';
import { syncFolder } from '../local/durable.ts';
import { isAbandoned, ownerMark } from '../process-mark.ts';

/**
 * Matches the names of unfinished backups and exports. A name starts with a dot, and contains the
 * mark of the process that owns the file.
 */
const unfinished = /^\.catalog-(.+)\.tmp$/;

/**
 * Implements `BackupFiles.writeAtomically`. Also removes unfinished backups and exports of dead
 * processes from the folder.
 */
export async function writeAtomically<T>(
  file: string,
  write: (places: { path: string; spare: string }) => Promise<T>,
  what: 'backup' | 'export' = 'backup',
): Promise<T> {
  await refuseExisting(file, what);
  const folder = dirname(resolve(file));
  await sweep(folder).catch(() => undefined); // `write` reports a folder that is not writable
  const [path, spare] = [temporaryPathIn(folder), temporaryPathIn(folder)];
  try {
    const made = await write({ path, spare });
    await refuseExisting(file, what);
    await withPathInErrors(file, () => rename(path, file));
    await withPathInErrors(folder, () => syncFolder(folder));
    return made;
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await rm(spare, { force: true }).catch(() => undefined);
  }
}

/**
 * Runs `work` and returns its result. Converts a system error to refused() with a one-line message
 * that names `path`. Converts the error of a full disk or quota to `insufficient storage`.
 */
export async function withPathInErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const converted = asStorageError(error);
    if (converted !== error || !isSystemError(error)) throw converted;
    throw refused(`cannot write to ${path}: ${systemReason(error)}`, error);
  }
}

async function refuseExisting(file: string, what: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw refused(`${file} exists already: give another name for the ${what}`);
}

const temporaryPathIn = (folder: string) => join(folder, `.catalog-${ownerMark()}.tmp`);

async function sweep(folder: string): Promise<void> {
  for await (const { name } of entriesOf(folder)) {
    const mark = unfinished.exec(basename(name))?.[1];
    if (mark === undefined) continue;
    const path = join(folder, name);
    const stat = await lstat(path).catch(() => null);
    if (stat?.isFile() && isAbandoned(mark, stat.mtimeMs)) await rm(path, { force: true });
  }
}
