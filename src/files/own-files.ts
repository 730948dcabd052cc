import { type BigIntStats, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isGone } from './local/disk-error.ts';

/**
 * Time in milliseconds after a folder's last change during which the list of its files is not
 * cached. File systems store times in steps of up to 2 s (FAT), so a second change may leave the
 * folder's time unchanged.
 */
const stableMs = 3_000;

interface CachedIds {
  readonly version: string;
  readonly isStable: boolean;
  readonly ids: ReadonlySet<string>;
}

/**
 * The private files of a data folder: the database, the files next to the database, and the copies
 * in `backups`. These files contain password hashes. So no area serves these files, under any name
 * or through any link.
 */
export class OwnFiles {
  readonly #folders: readonly string[];
  #cached: CachedIds | undefined;

  constructor(data: string) {
    this.#folders = [data, join(data, 'backups')];
  }

  /** Returns true if a file is one of the own files. Blocks this thread. */
  has(stat: BigIntStats): boolean {
    return this.#ids().has(idOf(stat));
  }

  /**
   * Returns true if a folder may contain an own file. This is the case for the folders of the own
   * files. If any own file has a second hard link, the result is true for every folder, because the
   * link may be anywhere.
   */
  mayBeIn(folder: string): boolean {
    const id = idOfFolder(folder);
    if (id !== null && this.#folders.some((own) => idOfFolder(own) === id)) return true;
    return this.#folders.flatMap(filesIn).some(({ nlink }) => nlink > 1n);
  }

  /** Returns the ids of the own files. The folders are listed again only after a change. */
  #ids(): ReadonlySet<string> {
    const stats = this.#folders.map(statOf);
    const version = stats.map((stat) => stat && `${idOf(stat)}/${stat.mtimeNs}`).join();
    if (this.#cached?.isStable && this.#cached.version === version) return this.#cached.ids;
    const changedMs = Math.max(...stats.map((stat) => Number(stat?.mtimeMs ?? 0)));
    const isStable = Date.now() - changedMs > stableMs;
    const ids = new Set(this.#folders.flatMap(filesIn).map(idOf));
    this.#cached = { version, isStable, ids };
    return ids;
  }
}

/** Returns the regular files directly in a folder, which may be missing. */
function filesIn(folder: string): BigIntStats[] {
  return namesIn(folder).flatMap((name) => {
    const stat = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? [stat] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function statOf(folder: string): BigIntStats | undefined {
  return statSync(folder, { bigint: true, throwIfNoEntry: false });
}

function idOfFolder(folder: string): string | null {
  const stat = statOf(folder);
  return stat === undefined ? null : idOf(stat);
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}/${ino}`;
}
