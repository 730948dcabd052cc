import type { LibraryRoot, ScannedFile } from './library-file.ts';

/** As much of a file as its set is known by. */
type SetFile = Pick<ScannedFile, 'path' | 'setKey'>;

/** The sets of files that wait for their hashes: each is matched when the last of its files is done. */
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

  /** To be called when a file is done, hashed or not. Returns its set when it was the last one. */
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
