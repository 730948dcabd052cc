import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { refused } from '../../core/shared/errors.ts';
import { isGone } from '../local/disk-error.ts';

/** A folder that no tree may be built in or around. */
export interface ProtectedFolder {
  readonly path: string;
  /** The use of the folder, such as `the data folder`. */
  readonly what: string;
}

/**
 * Returns the path of a folder with all links resolved. The last folders of the path may be
 * missing.
 */
export async function resolveFolder(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isGone(error) || absolute === dirname(absolute)) throw error;
    return join(await resolveFolder(dirname(absolute)), basename(absolute));
  }
}

/**
 * Throws refused() if `folder` is a protected folder, is inside one, or contains one. `folder` must
 * be a result of `resolveFolder`. Folders are compared by path and by inode, so that a link or a
 * second mount cannot hide a protected folder.
 */
export async function refuseProtected(
  folder: string,
  protectedFolders: readonly ProtectedFolder[],
): Promise<void> {
  const own = await idsAbove(folder);
  for (const { path, what } of protectedFolders) {
    const place = await resolveFolder(path).catch(() => resolve(path));
    const other = await idsAbove(place);
    const [ownId, otherId] = [own[0], other[0]];
    const isInside =
      isWithin(folder, place) || (typeof otherId === 'string' && own.includes(otherId));
    const isAround =
      isWithin(place, folder) || (typeof ownId === 'string' && other.includes(ownId));
    if (!isInside && !isAround) continue;
    const relation = isInside && isAround ? 'is' : isInside ? 'is inside' : 'contains';
    throw refused(`${folder} ${relation} ${what} (${path}): choose another folder`);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Returns the device and inode of a folder and of each folder above; null for a missing folder. */
async function idsAbove(folder: string): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path, { bigint: true }).catch(() => null);
    ids.push(found && `${found.dev}/${found.ino}`);
    if (path === dirname(path)) return ids;
  }
}
