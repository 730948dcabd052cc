/** The kinds of files that a build writes. */
export const fileKinds = ['game', 'picture', 'text'] as const;
export type FileKind = (typeof fileKinds)[number];

/** The values by which a build recognises a file that it wrote. */
export interface FileFacts {
  /** Size in bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
}

/** The forms of the lists that a build merges: a `gamelist.xml`, and a playlist of RetroArch. */
export const listForms = ['gamelist', 'playlist'] as const;
export type ListForm = (typeof listForms)[number];

/** The record of a list of games that a build wrote. */
export interface ListRecord {
  readonly form: ListForm;
  /** The folder of the list's games below the target. */
  readonly tree: string;
  /**
   * The texts by which the build's part of the list is recognised. In a `gamelist.xml`, these are
   * the names of elements; see `stripPlaylist` for a playlist.
   */
  readonly names: readonly string[];
  /** True if the list may have entries of a player, because it was merged with an existing list. */
  readonly isMerged: boolean;
  /** True if there was a list before the first build. */
  readonly isForeign: boolean;
}

/** A file of a target that a build wrote. */
export interface BuildEntry extends FileFacts {
  /** Path below the target, with `/` between folders. */
  readonly path: string;
  readonly kind: FileKind;
  /** Keys that identify the content, such as a checksum; see `haveCommonKey`. */
  readonly keys: readonly string[];
  /** The record of the list if the file is a list of games. Null for all other files. */
  readonly list: ListRecord | null;
}

/** The state of a path in a target. */
export type Found =
  | { readonly is: 'missing' }
  | { readonly is: 'file'; readonly facts: FileFacts }
  /** The path cannot be used; `why` is a sentence. */
  | { readonly is: 'blocked'; readonly why: string };

/** The precision with which a file system stores the values in `FileFacts`. */
export interface FactsPrecision {
  /** False if an inode number may change when the file system is mounted again. */
  readonly hasInodes: boolean;
  /** The steps in which modification times are stored, in nanoseconds. */
  readonly timeStepNs: bigint;
}

/** Returns true if a file is unchanged: if it has the same size, time and inode. */
export function isUnchanged(
  before: FileFacts,
  now: FileFacts,
  { hasInodes, timeStepNs }: FactsPrecision,
): boolean {
  return (
    before.size === now.size &&
    before.mtimeNs / timeStepNs === now.mtimeNs / timeStepNs &&
    (!hasInodes || before.inode === now.inode)
  );
}

/**
 * Returns true if two files have the same content. If the checksums of both are known, only the
 * checksums are compared, because ids of different catalogues may be equal by chance.
 */
export function haveCommonKey(one: readonly string[], other: readonly string[]): boolean {
  const [sums, otherSums] = [one, other].map((keys) => keys.filter(isChecksum));
  if (sums?.length && otherSums?.length) return sums.some((key) => otherSums.includes(key));
  return one.some((key) => other.includes(key));
}

function isChecksum(key: string): boolean {
  return key.startsWith('sha1:');
}
