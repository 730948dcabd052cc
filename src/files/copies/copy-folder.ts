import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors } from '../backups/write-atomically.ts';
import { isGone } from '../local/disk-error.ts';
import { syncFolder } from '../local/durable.ts';
import { findActiveMarkers, TargetMarker } from '../target-marker.ts';

/**
 * Name of the folder that marks an unfinished copy. The folder contains the database until the copy
 * is complete.
 */
const copyFolder = '.catalog-copy';
/**
 * Name of the marker file in `copyFolder` for a copy that includes files. The marker is renamed to
 * `filesCompleteMarker` when all files are copied.
 */
const filesPendingMarker = 'files';
const filesCompleteMarker = 'files-there';
/**
 * Prefix of the marker file in `copyFolder` that names the process making the copy. The process
 * removes the marker when it ends the copy.
 */
const ownerPrefix = 'owner-';

/**
 * Matches the names of record files. A record lists the files that are already in a bucket; see
 * `filesInBucket`.
 */
const recordFilePattern = /^copied-files-.+\.jsonl$/;

/** Name of the folder into which a backup is unpacked before the catalogue is moved into place. */
const restoredFolder = 'restored';

/**
 * Entries that mkfs creates in a new file system. A folder that contains only these entries is
 * treated as empty.
 */
const ignoredEntries: readonly string[] = ['lost+found'];
const fileFolders = ['covers', 'store/games', 'store/videos'];

/** Describes how a copy uses its target folder. */
interface FolderUse {
  readonly takesDatabase: boolean;
  readonly takesFiles: boolean;
  /**
   * True if the folder is the data folder of the copied catalogue itself. Files that are already in
   * the folder then stay.
   */
  readonly isOwn: boolean;
}

/** A data folder that is being created by a copy. */
export class CopyFolder {
  readonly #folder: string;
  readonly #use: FolderUse;
  readonly #made: string | undefined;
  readonly #owner: TargetMarker;

  /**
   * Starts a copy into a folder. If the folder contains an interrupted copy, resumes that copy and
   * reuses its files. Throws refused() if the folder is not empty and contains no interrupted copy.
   * Also throws refused() if another copy into the folder is running.
   */
  static async begin(folder: string, use: FolderUse): Promise<CopyFolder> {
    return withPathInErrors(folder, async () => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await refuseContent(folder, use);
      const aside = join(folder, copyFolder);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const owner = await TargetMarker.set(
        { folder: aside, prefix: ownerPrefix },
        `copying or restoring to ${folder}`,
      );
      try {
        await refuseContent(folder, use); // another copy may have been completed meanwhile
        await removeDatabase(aside);
        await rm(join(aside, restoredFolder), { recursive: true, force: true });
        if (use.takesFiles) await (await open(join(aside, filesPendingMarker), 'w')).close();
        await rm(join(aside, filesCompleteMarker), { force: true });
        await syncFolder(folder);
        return new CopyFolder({ folder, use, made, owner });
      } catch (error) {
        await owner.remove();
        await rmdir(aside).catch(() => undefined); // fails, as intended, if not empty
        throw error;
      }
    });
  }

  private constructor(parts: {
    folder: string;
    use: FolderUse;
    made: string | undefined;
    owner: TargetMarker;
  }) {
    this.#folder = parts.folder;
    this.#use = parts.use;
    this.#made = parts.made;
    this.#owner = parts.owner;
  }

  /** Path at which the database is created. `complete` moves the database into place. */
  get database(): string {
    return join(this.#folder, copyFolder, databaseName);
  }

  /** Path of the folder into which a backup may be unpacked. */
  get restored(): string {
    return join(this.#folder, copyFolder, restoredFolder);
  }

  /**
   * If `takesFiles` is true, moves the unpacked files into place. Then calls `markFilesComplete`.
   */
  async moveRestoredIntoPlace(takesFiles: boolean): Promise<void> {
    await withPathInErrors(this.#folder, async () => {
      for (const name of takesFiles ? ['covers', 'store'] : []) {
        // Remove the leftovers of an interrupted restore.
        await rm(join(this.#folder, name), { recursive: true, force: true });
        await rename(join(this.restored, name), join(this.#folder, name)).catch(ignoreGone);
      }
    });
    await this.markFilesComplete();
  }

  /**
   * Marks all files as complete. If the database is on a database server, a process that opens the
   * database may use the files from now on. Until `complete`, an interrupted copy into this folder
   * can still be resumed.
   */
  async markFilesComplete(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await withPathInErrors(this.#folder, async () => {
      await rename(join(aside, filesPendingMarker), join(aside, filesCompleteMarker)).catch(
        ignoreGone,
      );
      await syncFolder(aside);
      await syncFolder(this.#folder);
    });
  }

  /** Completes the copy. From now on the program recognizes the folder as a data folder. */
  async complete(): Promise<void> {
    await withPathInErrors(this.#folder, async () => {
      if (this.#use.takesDatabase) {
        await rename(this.database, join(this.#folder, databaseName));
        await syncFolder(this.#folder);
      }
      await this.#removeAside();
      await syncFolder(this.#folder);
    });
  }

  /**
   * Abandons the copy. Files that were copied, into this folder or a bucket, stay, together with
   * the markers that are needed to resume the copy. If no files were copied, the markers are
   * removed too.
   */
  async abandon(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await removeDatabase(aside);
    await rm(this.restored, { recursive: true, force: true });
    if (this.#use.takesFiles && (await hasCopiedFiles(this.#folder))) return this.#owner.remove();
    await this.#removeAside();
    if (this.#made === undefined) return;
    for (const folder of ['tmp', ...fileFolders, 'store', '']) {
      await rmdir(join(this.#folder, folder)).catch(() => undefined);
    }
  }

  /**
   * Removes `copyFolder` and its content, the owner's marker last. So a copy that starts at this
   * moment either finds the marker and is refused, or finds nothing to resume.
   */
  async #removeAside(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    const names = await readdir(aside).catch((): string[] => []);
    for (const name of names.filter(isOfCopy)) {
      await rm(join(aside, name), { recursive: true, force: true });
    }
    await this.#owner.remove();
    await rmdir(aside).catch(() => undefined); // fails if another process has a marker
  }
}

/**
 * Throws refused() for a data folder with an unfinished copy. Removes the leftovers of a finished
 * copy; otherwise the next copy would resume the finished copy and replace files in use.
 */
export async function refuseUnfinishedCopy(
  data: string,
  use: { keepsDatabaseInFolder: boolean; keepsFilesInFolder: boolean },
): Promise<void> {
  const names = await readdir(data).catch((): string[] => []);
  if (!names.includes(copyFolder)) return;
  const aside = join(data, copyFolder);
  const inside = await readdir(aside).catch((): string[] => []);
  const isWhole = use.keepsDatabaseInFolder
    ? names.includes(databaseName)
    : !inside.includes(filesPendingMarker);
  if (!isWhole) {
    // If the database and files of a catalogue are stored elsewhere, the catalogue's own data
    // folder may be the target of a copy. That folder may contain other data of the catalogue, so
    // the operator must remove only `copyFolder`.
    const own =
      use.keepsDatabaseInFolder || use.keepsFilesInFolder
        ? ''
        : `; if a catalogue uses the folder, remove only ${aside}`;
    throw refused(
      `a copy or restore into ${data} was interrupted: run it again, or empty the folder${own}`,
    );
  }
  const isUnderWay = (await findActiveMarkers({ folder: aside, prefix: ownerPrefix })).length > 0;
  if (!isUnderWay) await rm(aside, { recursive: true, force: true });
}

async function refuseContent(folder: string, use: FolderUse): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !ignoredEntries.includes(name));
  if (use.takesDatabase && names.includes(databaseName)) {
    throw refused(`${folder} already contains a catalogue (${databaseName}): move it away first`);
  }
  const aside = names.includes(copyFolder) ? await readdir(join(folder, copyFolder)) : [];
  const isResuming = aside.some(isOfCopy);
  if (!isResuming && !use.isOwn && names.some((name) => name !== copyFolder)) {
    throw refused(`${folder} is not empty: a copy needs a new or empty data folder`);
  }
  // A copy must not replace or remove files that no copy has created. So refuse a folder that
  // contains such files.
  const tookFiles =
    isResuming &&
    (!use.isOwn || aside.includes(filesPendingMarker) || aside.includes(filesCompleteMarker));
  if (use.takesFiles && !tookFiles && (await hasFiles(folder))) {
    throw refused(`${folder} already contains covers or archives: move them away first`);
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  for (const each of fileFolders) {
    const names = await readdir(join(folder, each)).catch((error: unknown): string[] => {
      if (isGone(error)) return [];
      throw error;
    });
    if (names.length > 0) return true;
  }
  return false;
}

/**
 * Returns true if an entry of `copyFolder` belongs to a copy that can be resumed. Returns false for
 * owner markers.
 */
function isOfCopy(name: string): boolean {
  return !name.startsWith(ownerPrefix);
}

/** Returns true if any files were copied, into this folder or into a bucket. */
async function hasCopiedFiles(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => recordFilePattern.test(name)) || hasFiles(folder);
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

async function removeDatabase(aside: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) {
    await rm(join(aside, `${databaseName}${ending}`), { force: true });
  }
}
