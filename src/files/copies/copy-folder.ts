import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { named } from '../backups/write-aside.ts';
import { isGone } from '../disk-error.ts';
import { syncFolder } from '../durable.ts';
import { marksAt, PlaceMark } from './place-mark.ts';

/** Folder that marks an unfinished copy, and that holds the database until the copy is complete. */
const copyFolder = '.catalog-copy';
/**
 * Marker in `copyFolder` for a copy that includes files. The marker is renamed to `filesThere` once
 * all files are there.
 */
const filesMark = 'files';
const filesThere = 'files-there';
/**
 * Prefix of the marker that names the process making the copy. The marker exists while the process
 * lives.
 */
const ownerPrefix = 'owner-';

/**
 * Matches the names of records. A record lists which files are already in a bucket; see
 * `filesInBucket`.
 */
const record = /^copied-files-.+\.jsonl$/;

/** Name of the folder into which a backup is unpacked, until the catalogue is moved into place. */
const restoredFolder = 'restored';

/** Entries that mkfs creates. A folder that contains nothing else is treated as empty. */
const nothing: readonly string[] = ['lost+found'];
const fileFolders = ['covers', 'store/games', 'store/videos'];

/** The kinds of content that a copy puts into a folder. */
interface FolderUse {
  readonly takesDatabase: boolean;
  readonly takesFiles: boolean;
  /** Whether the folder is the data folder of the copied catalogue itself, whose files stay. */
  readonly isOwn: boolean;
}

/** A data folder that is being created by a copy. */
export class CopyFolder {
  readonly #folder: string;
  readonly #use: FolderUse;
  readonly #made: string | undefined;
  readonly #owner: PlaceMark;

  /**
   * Starts a copy into a folder, or resumes an interrupted copy, whose files are reused. Throws
   * refused() if the folder is not empty and holds no interrupted copy. Also throws refused() if
   * another copy is running there.
   */
  static async begin(folder: string, use: FolderUse): Promise<CopyFolder> {
    return named(folder, async () => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await refuseContent(folder, use);
      const aside = join(folder, copyFolder);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const owner = await PlaceMark.set({ folder: aside, prefix: ownerPrefix }, folder);
      try {
        await refuseContent(folder, use); // another copy may have finished meanwhile
        await removeDatabase(aside);
        await rm(join(aside, restoredFolder), { recursive: true, force: true });
        if (use.takesFiles) await (await open(join(aside, filesMark), 'w')).close();
        await rm(join(aside, filesThere), { force: true });
        await syncFolder(folder);
        return new CopyFolder({ folder, use, made, owner });
      } catch (error) {
        await owner.remove();
        await rmdir(aside).catch(() => undefined); // fails if the folder holds more, which is fine
        throw error;
      }
    });
  }

  private constructor(parts: {
    folder: string;
    use: FolderUse;
    made: string | undefined;
    owner: PlaceMark;
  }) {
    this.#folder = parts.folder;
    this.#use = parts.use;
    this.#made = parts.made;
    this.#owner = parts.owner;
  }

  /** Path of the database while it is being created. */
  get database(): string {
    return join(this.#folder, copyFolder, databaseName);
  }

  /** Path of the folder into which a backup may be unpacked. */
  get restored(): string {
    return join(this.#folder, copyFolder, restoredFolder);
  }

  /** If `takesFiles` is true, moves the unpacked files into place. Then calls `endFiles`. */
  async takeRestored(takesFiles: boolean): Promise<void> {
    await named(this.#folder, async () => {
      for (const name of takesFiles ? ['covers', 'store'] : []) {
        // Leftovers of an interrupted restore.
        await rm(join(this.#folder, name), { recursive: true, force: true });
        await rename(join(this.restored, name), join(this.#folder, name)).catch(orGone);
      }
    });
    await this.endFiles();
  }

  /**
   * Marks all files as complete. If the database is on a database server, a process that opens the
   * database may use the files from now on. Until `end`, an interrupted copy can still be resumed
   * here.
   */
  async endFiles(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await named(this.#folder, async () => {
      await rename(join(aside, filesMark), join(aside, filesThere)).catch(orGone);
      await syncFolder(aside);
      await syncFolder(this.#folder);
    });
  }

  /** Completes the copy. From now on the program recognizes the folder as a data folder. */
  async end(): Promise<void> {
    await named(this.#folder, async () => {
      if (this.#use.takesDatabase) {
        await rename(this.database, join(this.#folder, databaseName));
        await syncFolder(this.#folder);
      }
      await this.#removeAside();
      await syncFolder(this.#folder);
    });
  }

  /**
   * Abandons the copy. Files that were copied, here or into a bucket, stay, and so do the markers
   * needed to resume.
   */
  async abandon(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await removeDatabase(aside);
    await rm(this.restored, { recursive: true, force: true });
    if (this.#use.takesFiles && (await hasSome(this.#folder))) return this.#owner.remove();
    await this.#removeAside();
    if (this.#made === undefined) return;
    for (const folder of ['tmp', ...fileFolders, 'store', '']) {
      await rmdir(join(this.#folder, folder)).catch(() => undefined);
    }
  }

  /**
   * Removes everything, the owner's marker last. So a copy that starts meanwhile either finds the
   * marker and is refused, or finds nothing to resume.
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
  use: { holdsDatabase: boolean; holdsFiles: boolean },
): Promise<void> {
  const names = await readdir(data).catch((): string[] => []);
  if (!names.includes(copyFolder)) return;
  const aside = join(data, copyFolder);
  const inside = await readdir(aside).catch((): string[] => []);
  const isWhole = use.holdsDatabase ? names.includes(databaseName) : !inside.includes(filesMark);
  if (!isWhole) {
    // If a catalogue's database and files are stored elsewhere, its own data folder may be the
    // copy's target. The folder may hold other data of the catalogue, so the operator must remove
    // only `copyFolder`.
    const own =
      use.holdsDatabase || use.holdsFiles ? '' : `; of a catalogue in use, remove only ${aside}`;
    throw refused(
      `a copy or restore into ${data} did not come to its end: run it again, or empty the folder${own}`,
    );
  }
  const isUnderWay = (await marksAt({ folder: aside, prefix: ownerPrefix })).length > 0;
  if (!isUnderWay) await rm(aside, { recursive: true, force: true });
}

async function refuseContent(folder: string, use: FolderUse): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !nothing.includes(name));
  if (use.takesDatabase && names.includes(databaseName)) {
    throw refused(`${folder} holds a catalogue already (${databaseName}): move that away first`);
  }
  const aside = names.includes(copyFolder) ? await readdir(join(folder, copyFolder)) : [];
  const goesOn = aside.some(isOfCopy);
  if (!goesOn && !use.isOwn && names.some((name) => name !== copyFolder)) {
    throw refused(`${folder} is not empty: a copy needs a new or empty data folder`);
  }
  // Files that no copy has created must not be replaced or removed, so refuse a folder with such
  // files.
  const tookFiles =
    goesOn && (!use.isOwn || aside.includes(filesMark) || aside.includes(filesThere));
  if (use.takesFiles && !tookFiles && (await hasFiles(folder))) {
    throw refused(`${folder} holds covers or archives already: move these away first`);
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
 * Whether an entry of the copy's folder is part of the copy, so that the copy can be resumed. Owner
 * markers are not.
 */
function isOfCopy(name: string): boolean {
  return !name.startsWith(ownerPrefix);
}

/** Whether any files were copied, here or into a bucket. */
async function hasSome(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => record.test(name)) || hasFiles(folder);
}

function orGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

async function removeDatabase(aside: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) {
    await rm(join(aside, `${databaseName}${ending}`), { force: true });
  }
}
