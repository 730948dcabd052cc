import { forEachInSlices } from '../shared/slices.ts';
import type { SheetFile } from './identity.ts';

/** A sheet and its location. */
export interface Sheet {
  readonly path: string;
  readonly files: readonly SheetFile[];
}

/** Maximum number of files taken from a sheet; a disc has at most 99 tracks. */
const mostNamed = 200;

/**
 * Returns the files that a sheet names, each with its path below the root; null if none, or more
 * than one, may be it.
 */
export function filesOf(
  sheet: Sheet,
  find: (folder: string, name: string) => string | null,
): { file: SheetFile; path: string | null }[] {
  const slash = sheet.path.lastIndexOf('/');
  const folder = sheet.path.slice(0, slash);
  const own = sheet.path.slice(slash + 1).replace(/\.[^.]*$/, '');
  return sheet.files.slice(0, mostNamed).map((file) => {
    const name = file.name.startsWith('*.') ? own + file.name.slice(1) : file.name;
    const path = find(folder, name);
    return { file, path: path === sheet.path ? null : path };
  });
}

/** Finds files in the folders of sheets by name, ignoring case if only one file has that name. */
export class FileNames {
  /**
   * Lower-case paths named in sheets: the only such file, all such files, or null if there is none
   * yet.
   */
  readonly #known = new Map<string, string | Set<string> | null>();

  /** Registers the names in a sheet. Call it for all sheets before adding any path. */
  want(sheet: Sheet): void {
    filesOf(sheet, (folder, name) => {
      this.#known.set(anyCase(folder, name), null);
      return null;
    });
  }

  add(path: string): void {
    if (this.#known.size === 0) return;
    const any = path.toLowerCase();
    const before = this.#known.get(any);
    if (before === undefined) return;
    if (before === null) this.#known.set(any, path);
    else if (typeof before === 'string') this.#known.set(any, new Set([before, path]));
    else before.add(path);
  }

  readonly find = (folder: string, name: string): string | null => {
    const found = this.#known.get(anyCase(folder, name)) ?? null;
    if (!(found instanceof Set)) return found;
    const path = `${folder}/${name}`;
    return found.has(path) ? path : null;
  };
}

/** Returns the `find` of a `FileNames` that has all these sheets and paths. */
export async function fileFinder(
  paths: readonly string[],
  sheets: readonly Sheet[],
): Promise<FileNames['find']> {
  const names = new FileNames();
  await forEachInSlices(sheets, (sheet) => names.want(sheet));
  await forEachInSlices(paths, (path) => names.add(path));
  return names.find;
}

const anyCase = (folder: string, name: string) => `${folder}/${name}`.toLowerCase();
