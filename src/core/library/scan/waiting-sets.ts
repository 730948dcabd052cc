import type { LibraryRoot, ScannedFile } from '../library-file.ts';

/** The fields of a file record that identify the file and its set. */
type SetFile = Pick<ScannedFile, 'path' | 'setKey'>;

/**
 * The sets that contain files waiting to be hashed. A set is matched when the last of its waiting
 * files is done.
 */
export class WaitingSets {
  readonly #sets = new Map<string, { left: number; paths: string[] }>();

  constructor(waiting: readonly { root: LibraryRoot; file: SetFile }[]) {
    for (const { root, file } of waiting) {
      if (file.setKey === null) continue;
      const set = this.#sets.get(nameOf(root, file)) ?? { left: 0, paths: [] };
      set.left += 1;
      set.paths.push(file.path);
      this.#sets.set(nameOf(root, file), set);
    }
  }

  /**
   * Removes a file from its set. Call this method when a file is done, even if the file was not
   * hashed. Returns the set if the file was the last waiting file of the set. Returns null
   * otherwise.
   */
  leave(root: LibraryRoot, file: SetFile): { key: string; paths: readonly string[] } | null {
    const set = this.#sets.get(nameOf(root, file));
    if (set === undefined) return null;
    set.left -= 1;
    if (set.left > 0 || !file.setKey) return null;
    this.#sets.delete(nameOf(root, file));
    return { key: file.setKey, paths: set.paths };
  }
}

const nameOf = (root: LibraryRoot, { setKey }: SetFile) => `${setKey}:${root.path}`;
