import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseName } from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { named } from '../backups/write-aside.ts';
import { isGone } from '../disk-error.ts';
import { syncFolder } from '../durable.ts';

/** What says that a copy into a folder has not come to its end, and where the database is until then. */
const copyFolder = '.catalog-copy';
/** In it: files come into the folder, too. */
const filesMark = 'files';

/** What says which files of a restore are in a bucket already; see `filesInBucket`. */
const record = /^copied-files-.+\.jsonl$/;

/** A catalogue that was unpacked of a backup, from where it goes to its place. */
const restoredFolder = 'restored';

/** What lies in a folder that counts as empty: what mkfs makes. */
const nothing: readonly string[] = ['lost+found'];
const fileFolders = ['covers', 'store/games', 'store/videos'];

/** What a copy puts into a folder. */
export interface FolderUse {
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

  /**
   * Throws refused() for a folder that is not empty, unless a copy was broken off there: that goes on, with the same files.
   */
  static async begin(folder: string, use: FolderUse): Promise<CopyFolder> {
    return named(folder, async () => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await refuseContent(folder, use);
      const aside = join(folder, copyFolder);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      await removeDatabase(aside);
      await rm(join(aside, restoredFolder), { recursive: true, force: true });
      if (use.takesFiles) await (await open(join(aside, filesMark), 'w')).close();
      await syncFolder(folder);
      return new CopyFolder(folder, use, made);
    });
  }

  private constructor(folder: string, use: FolderUse, made: string | undefined) {
    this.#folder = folder;
    this.#use = use;
    this.#made = made;
  }

  /** Where the database is made. */
  get database(): string {
    return join(this.#folder, copyFolder, databaseName);
  }

  /** Where a backup may be unpacked. */
  get restored(): string {
    return join(this.#folder, copyFolder, restoredFolder);
  }

  /** Gives the files of what was unpacked their place, if it is here; the database of a server is all that lacks then. */
  async takeRestored(takesFiles: boolean): Promise<void> {
    await named(this.#folder, async () => {
      for (const name of takesFiles ? ['covers', 'store'] : []) {
        // Of a restore that was broken off here.
        await rm(join(this.#folder, name), { recursive: true, force: true });
        await rename(join(this.restored, name), join(this.#folder, name)).catch(orGone);
      }
      await rm(join(this.#folder, copyFolder, filesMark), { force: true });
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
      await rm(join(this.#folder, copyFolder), { recursive: true, force: true });
      await syncFolder(this.#folder);
    });
  }

  /** Leaves nothing but files, here or in a bucket, and then also what says so. */
  async abandon(): Promise<void> {
    const aside = join(this.#folder, copyFolder);
    await removeDatabase(aside);
    await rm(this.restored, { recursive: true, force: true });
    if (this.#use.takesFiles && (await hasSome(this.#folder))) return;
    await rm(aside, { recursive: true, force: true });
    if (this.#made === undefined) return;
    for (const folder of ['tmp', ...fileFolders, 'store', '']) {
      await rmdir(join(this.#folder, folder)).catch(() => undefined);
    }
  }
}

/** Throws refused() for a data folder into which a copy did not come to its end; sweeps up behind one that did. */
export async function refuseUnfinishedCopy(
  data: string,
  use: { holdsDatabase: boolean },
): Promise<void> {
  const names = await readdir(data).catch((): string[] => []);
  if (!names.includes(copyFolder)) return;
  const aside = join(data, copyFolder);
  if (names.includes(databaseName) && use.holdsDatabase) {
    return rm(aside, { recursive: true, force: true });
  }
  const takesFiles = (await readdir(aside)).includes(filesMark);
  if (!takesFiles && !use.holdsDatabase) return;
  throw refused(
    `a copy or restore into ${data} did not come to its end: run it again, or empty the folder`,
  );
}

async function refuseContent(folder: string, use: FolderUse): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !nothing.includes(name));
  if (use.takesDatabase && names.includes(databaseName)) {
    throw refused(`${folder} holds a catalogue already (${databaseName}): move that away first`);
  }
  const goesOn = names.includes(copyFolder);
  if (!goesOn && !use.isOwn && names.length > 0) {
    throw refused(`${folder} is not empty: a copy needs a new or empty data folder`);
  }
  // Files that no copy brought are none of its own, which it may replace and remove.
  const tookFiles =
    goesOn && (!use.isOwn || (await readdir(join(folder, copyFolder))).includes(filesMark));
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
