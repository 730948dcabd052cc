import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CatalogError, refused } from '../../../core/shared/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import { syncFolder } from './sync-folder.ts';

const maxCopies = 2;
const copy = /^before-\d+\.db$/;
const unfinishedCopy = /^\.before-\d+\.db\./;

/**
 * Copies the database to `backups/before-<version>.db` next to the database file. `version` is the
 * version of the database. Only the owner can read the copy. Retains the newest two copies and
 * removes older ones. No two processes may call this function at the same time. Throws refused() on
 * failure; only the folder may then have changed.
 */
export async function copyBeforeUpgrade(
  database: Pick<Engine, 'name' | 'copy'>,
  version: number,
): Promise<void> {
  const folder = join(dirname(database.name), 'backups');
  const file = join(folder, `before-${version}.db`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await remove(folder, await namesOf(folder, unfinishedCopy)); // left by a killed process
    const aside = join(folder, `.before-${version}.db.tmp`);
    await database.copy(aside);
    await rename(aside, file);
    await syncFolder(folder);
    await remove(folder, (await newestFirst(folder)).slice(maxCopies));
  } catch (error) {
    throw refused(
      `the database must be upgraded, but cannot be copied to ${file} first: ${reasonOf(error)}; ` +
        'nothing was changed: free some space or make the folder writable, and start again',
      error,
    );
  }
}

async function newestFirst(folder: string): Promise<string[]> {
  const copies = await Promise.all(
    (await namesOf(folder, copy)).map(async (name) => {
      const { mtimeNs } = await stat(join(folder, name), { bigint: true });
      return { name, mtimeNs };
    }),
  );
  return copies.sort((a, b) => (a.mtimeNs < b.mtimeNs ? 1 : -1)).map(({ name }) => name);
}

async function namesOf(folder: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(folder)).filter((name) => pattern.test(name));
}

async function remove(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name));
}

function reasonOf(error: unknown): string {
  if (error instanceof CatalogError && error.kind === 'storage-full') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}
