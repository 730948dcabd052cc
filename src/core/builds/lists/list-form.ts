import type { ListForm } from '../build-entry.ts';

/** The files of a target, by their paths below the folder of a list's games. */
export interface ListedFiles {
  /** Returns true for a game in the target that belongs to the build, or did until now. */
  isOwn(path: string): boolean;
  /** Returns true if the path has a file that does not belong to the build. */
  isForeign(path: string): boolean;
  /** Returns the new path of a game that the build renames. */
  renamed(path: string): string;
  /** Returns a text that is the same for paths that lead to the same file. */
  key(path: string): string;
}

/** The files of a target that belong to the build. */
export type OwnFiles = Pick<ListedFiles, 'isOwn' | 'key'>;

/** A list that a build is to write. */
export interface NextList {
  readonly text: string;
  /** See `ListRecord.names`. */
  readonly names: readonly string[];
  /** The names that the last build recorded; empty if there is none. */
  readonly earlierNames: readonly string[];
}

/** A list that a build writes in place of the existing one. */
export interface MergedList {
  readonly text: string;
  readonly names: readonly string[];
}

/** Merges the lists of one form. `merge` and `strip` return null if `present` cannot be read. */
export interface ListMerging {
  /** Maximum size of a list that is merged, in bytes. */
  readonly maxBytes: number;
  /** Returns a sentence that states why a list of at most `maxBytes` bytes cannot be read. */
  unreadable(bytes: Uint8Array): string;
  /**
   * Returns the existing list with the games of the new list. Keeps everything that a player wrote.
   */
  merge(present: string, next: NextList, files: ListedFiles): MergedList | null;
  /** Returns the existing list without the build's part. `isEmpty` is true if nothing is left. */
  strip(
    present: string,
    names: readonly string[],
    files: OwnFiles,
  ): { text: string; isEmpty: boolean } | null;
}

/** The forms of lists that a build merges. */
export type ListMergings = Readonly<Record<ListForm, ListMerging>>;
