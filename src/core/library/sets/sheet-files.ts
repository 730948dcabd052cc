import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { SheetFile } from '../identity.ts';

/** The path of a sheet, and the files that the sheet names. */
export interface Sheet {
  readonly path: string;
  readonly files: readonly SheetFile[];
}

/** Maximum number of files that are used from one sheet. A disc has at most 99 tracks. */
const maxNamed = 200;

/**
 * Returns the files that a sheet names. `path` is the path of the file below the root. `path` is
 * null if the name does not identify exactly one other file.
 */
export function resolveSheetFiles(
  sheet: Sheet,
  find: (folder: string, name: string) => string | null,
): { file: SheetFile; path: string | null }[] {
  const slash = sheet.path.lastIndexOf('/');
  const folder = sheet.path.slice(0, slash);
  const own = sheet.path.slice(slash + 1).replace(/\.[^.]*$/, '');
  return sheet.files.slice(0, maxNamed).map((file) => {
    const name = file.name.startsWith('*.') ? own + file.name.slice(1) : file.name;
    const path = find(folder, name);
    return { file, path: path === sheet.path ? null : path };
  });
}

/**
 * Finds the files that sheets name, in the folder of each sheet. Case is ignored. If several files
 * differ only in case, the case of the name must match.
 */
export class FileNames {
  /**
   * For each lower-case path that a sheet names: the file with that path, or all files if several
   * differ only in case. Null until `add` is called for such a file.
   */
  readonly #known = new Map<string, string | Set<string> | null>();

  /** Registers the names in a sheet. Call `want` for all sheets before the first call of `add`. */
  want(sheet: Sheet): void {
    resolveSheetFiles(sheet, (folder, name) => {
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

/** Creates a `FileNames`, adds all sheets and paths to it, and returns its `find` function. */
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
