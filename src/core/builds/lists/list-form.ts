import type { ListForm } from '../build-entry.ts';

/** The files of a target, by their paths below the folder of a list's games. */
export interface ListedFiles {
  /** Returns true for a game that the build has in the target, or had until now. */
  isOwn(path: string): boolean;
  /** Returns true if a file that is not the build's has the path. */
  isForeign(path: string): boolean;
  /** Returns the new path of a game that the build renames. */
  renamed(path: string): string;
  /** Returns a text that is the same for paths that lead to the same file. */
  key(path: string): string;
}

/** The files of a target that are the build's. */
export type OwnFiles = Pick<ListedFiles, 'isOwn' | 'key'>;

/** A list that a build is to write. */
export interface NextList {
  readonly text: string;
  /** See `ListRecord.names`. */
  readonly names: readonly string[];
  /** The names that the last build recorded; empty if there is none. */
  readonly earlierNames: readonly string[];
}

/** A list that a build writes instead of the present one. */
export interface MergedList {
  readonly text: string;
  readonly names: readonly string[];
}

/** How the lists of one form are merged. Two methods return null if `present` cannot be read. */
export interface ListMerging {
  /** Maximum size of a list that is merged, in bytes. */
  readonly maxBytes: number;
  /** Returns the sentence why a list of this size or less cannot be read. */
  unreadable(bytes: Uint8Array): string;
  /** Returns the present list with the games of the new one, and all that a player wrote. */
  merge(present: string, next: NextList, files: ListedFiles): MergedList | null;
  /** Returns the present list without the build's part. `isEmpty` is true if nothing is left. */
  strip(
    present: string,
    names: readonly string[],
    files: OwnFiles,
  ): { text: string; isEmpty: boolean } | null;
}

/** The forms of lists that a build merges. */
export type ListMergings = Readonly<Record<ListForm, ListMerging>>;
