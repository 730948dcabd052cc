import { forEachInSlices } from '../shared/slices.ts';
import type { SheetFile } from './identity.ts';

/** A sheet, and where it lies. */
export interface Sheet {
  readonly path: string;
  readonly files: readonly SheetFile[];
}

/** A disc has at most 99 tracks. */
const mostNamed = 200;

/** The files that a sheet names, and which of those below the root each is; null where none or more than one may be it. */
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

/** Finds files in the folders of sheets by their names; in other letters' case where only one file is called so. */
export class FileNames {
  /** By what a sheet names, in small letters: the file that is called so, all of them, or null for none yet. */
  readonly #known = new Map<string, string | Set<string> | null>();

  /** To be called with all sheets before any path is added. */
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

/** As `FileNames`, of all that there is. */
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
