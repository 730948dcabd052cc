import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { named } from '../backups/write-aside.ts';
import { isGone } from '../disk-error.ts';
import { syncFolder } from '../durable.ts';
import { marksAt, PlaceMark } from './place-mark.ts';

/** What says that a copy into a folder has not come to its end, and where the database is until then. */
const copyFolder = '.catalog-copy';
/** In it: files come into the folder, too; and then, that all of them are there. */
const filesMark = 'files';
const filesThere = 'files-there';
/** And whose copy it is, while that process lives. */
const ownerPrefix = 'owner-';

/** What says which files of a restore are in a bucket already; see `filesInBucket`. */
const record = /^copied-files-.+\.jsonl$/;

/** A catalogue that was unpacked of a backup, from where it goes to its place. */
const restoredFolder = 'restored';

/** What lies in a folder that counts as empty: what mkfs makes. */
const nothing: readonly string[] = ['lost+found'];
const fileFolders = ['covers', 'store/games', 'store/videos'];

/** What a copy puts into a folder. */
interface FolderUse {
  readonly takesDatabase: boolean;
  readonly takesFiles: boolean;
  /** It is the data folder of the catalogue that is copied, whose files stay. */
  readonly isOwn: boolean;
}

/** A data folder that is being made. */
export class CopyFolder {
  readonly #folder: string;
  readonly #use: FolderUse;
  readonly #made: string | undefined;
  readonly #owner: PlaceMark;

  /**
   * Throws refused() for a folder that is not empty, unless a copy was broken off there: that goes on, with the same files;
   * and for one where another copy is under way.
   */
  static async begin(folder: string, use: FolderUse): Promise<CopyFolder> {
    return named(folder, async () => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await refuseContent(folder, use);
      const aside = join(folder, copyFolder);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const owner = await PlaceMark.set({ folder: aside, prefix: ownerPrefix }, folder);
      try {
        await refuseContent(folder, use); // another copy may have come to its end meanwhile
        await removeDatabase(aside);
        await rm(join(aside, restoredFolder), { recursive: true, force: true });
        if (use.takesFiles) await (await open(join(aside, filesMark), 'w')).close();
        await rm(join(aside, filesThere), { force: true });
        await syncFolder(folder);
        return new CopyFolder({ folder, use, made, owner });
      } catch (error) {
        await owner.remove();
        await rmdir(aside).catch(() => undefined); // unless there is more
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

  /** Where the database is made. */
  get database(): string {
    return join(this.#folder, copyFolder, databaseName);
  }

  /** Where a backup may be unpacked. */
  get restored(): string {
    return join(this.#folder, copyFolder, restoredFolder);
  }

  /** Gives the files of what was unpacked their place, if it is here; see `endFiles`. */
  async takeRestored(takesFiles: boolean): Promise<void> {
    await named(this.#folder, async () => {
      for (const name of takesFiles ? ['covers', 'store'] : []) {
        // Of a restore that was broken off here.
        await rm(join(this.#folder, name), { recursive: true, force: true });
        await rename(join(this.restored, name), join(this.#folder, name)).catch(orGone);
      }
    });
    await this.endFiles();
  }

  /**
   * All files are there, and the database of a server is all that lacks: whoever has it may use them from now on. Until `end`
   * a copy that is broken off goes on here all the same.
   */
  async endFiles(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await named(this.#folder, async () => {
      await rename(join(aside, filesMark), join(aside, filesThere)).catch(orGone);
      await syncFolder(aside);
      await syncFolder(this.#folder);
    });
  }

  /** From now on it is a data folder; before, nobody takes it for one. */
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

  /** Leaves nothing but files, here or in a bucket, and then also what says so. */
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

  /** What says whose it is goes last: whoever comes before that finds it, whoever comes later finds nothing to go on with. */
  async #removeAside(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    const names = await readdir(aside).catch((): string[] => []);
    for (const name of names.filter(isOfCopy)) {
      await rm(join(aside, name), { recursive: true, force: true });
    }
    await this.#owner.remove();
    await rmdir(aside).catch(() => undefined); // somebody else is about to be refused
  }
}

/**
 * Throws refused() for a data folder into which a copy did not come to its end; sweeps up behind one that did: by what it left,
 * the next one would go on, and take the place of files that are used.
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
    // A copy of a catalogue whose files lie elsewhere may come into its own folder, where more lies that it needs.
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
  // Files that no copy brought are none of its own, which it may replace and remove.
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

/** What a copy works with, which the next one goes on with. */
function isOfCopy(name: string): boolean {
  return !name.startsWith(ownerPrefix);
}

/** Whether files are there, or in a bucket. */
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
