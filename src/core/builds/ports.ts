import type { ArchivedFile } from '../shared/files/archived-file.ts';
import type { BuildEntry, FactsPrecision, Found, ListRecord } from './build-entry.ts';
import type { Journal, JournalHeader } from './journal.ts';

/** The kinds of file systems of a target, which limit names and sizes differently. */
export type TargetFileSystem = 'posix' | 'exfat' | 'fat32';

/** The name of a file in an archive, without folders, and its name in the tree. */
export interface MemberName {
  readonly from: string;
  readonly to: string;
}

/** A file of the tree of a set; see `TreePart` of exports. */
export type TreePart =
  | {
      readonly kind: 'game';
      readonly path: string;
      readonly file: {
        readonly id: number;
        readonly name: string;
        readonly size: number;
        readonly member: ArchivedFile | null;
      };
      readonly sheetNames: readonly string[] | null;
      readonly memberNames: readonly MemberName[] | null;
    }
  | {
      readonly kind: 'text';
      readonly path: string;
      readonly content: AsyncIterable<string>;
      /** Null for all texts but lists of games. */
      readonly list: Pick<ListRecord, 'form' | 'tree' | 'names'> | null;
    }
  | {
      readonly kind: 'picture';
      readonly path: string;
      readonly version: string;
      read(): Promise<Uint8Array | null>;
    };

/** A file that the device cannot open, with the reason. */
export interface LeftOutFile {
  readonly platform: string;
  readonly release: string;
  readonly releaseId: number;
  readonly file: string;
  /** A sentence. */
  readonly why: string;
  /** True for an archive with an image that the device can open. */
  readonly isUnpackable: boolean;
}

/** Yields the files of the set that is built. Throws `no such profile`. */
export type ReadTree = (request: {
  readonly profile: string;
  readonly fileSystem: TargetFileSystem;
  readonly onLeftOut: (leftOut: LeftOutFile) => void;
}) => AsyncIterable<TreePart>;

/** A file of the library as a scan recorded it. */
export interface LibrarySource {
  readonly id: number;
  /** Absolute path of the library root. */
  readonly root: string;
  /** Absolute path. */
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  /** The SHA-1 of its content; null if it is not known. See `ImageHashes`. */
  readonly sha1: string | null;
}

export interface LibrarySources {
  /** Returns these files, by id. Files that a scan forgot, and those of other hosts, are absent. */
  find(ids: readonly number[]): Promise<ReadonlyMap<number, LibrarySource>>;
}

/** The ways to write files. `auto` shares blocks if the file system can, and copies otherwise. */
export const buildModes = ['auto', 'reflink', 'hardlink', 'copy'] as const;
export type BuildMode = (typeof buildModes)[number];

/** The content of a game's file. */
export type LibraryContent =
  | { readonly from: 'library'; readonly source: LibrarySource }
  /** A sheet of the library that names its files as the tree does; see `rewriteSheet`. */
  | { readonly from: 'sheet'; readonly source: LibrarySource; readonly names: readonly string[] };

/** A file that is taken out of an archive of the library. It is always a copy. */
export interface PackedContent {
  readonly from: 'archive';
  /** The archive. */
  readonly source: LibrarySource;
  readonly member: ArchivedFile;
  /** The names to write to a sheet; null for a file that stays as it is. */
  readonly names: readonly MemberName[] | null;
}

export type GameContent = LibraryContent | PackedContent;

/** The content of a file in a target, unless the file comes from an archive. */
export type PlainContent = LibraryContent | { readonly from: 'memory'; readonly bytes: Uint8Array };

export type Content = PlainContent | PackedContent;

export interface PlaceOptions {
  readonly mode: BuildMode;
  /** True to compare each copy with its source. */
  readonly isVerified: boolean;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** A file of the tree whose bytes are in the target, under a temporary name. */
export interface StagedFile {
  readonly entry: BuildEntry;
  /** The file of the build that it replaces. */
  readonly before: BuildEntry | null;
  /** Absolute path of the bytes. */
  readonly temporary: string;
}

/**
 * The folders that trees are built in. Every method throws refused() if the disk of the folder
 * fails, and `insufficient storage` if it is full.
 */
export interface BuildTargets {
  /**
   * Opens a folder. Throws refused() for a folder of the catalogue itself, for a folder with files
   * that no build made unless `isAdopted`, and for a damaged journal. With `mayWrite`, creates the
   * folder, removes leftovers of an interrupted build, and throws refusedInUse() if another
   * process works on the folder.
   */
  open(
    folder: string,
    options: { readonly mayWrite: boolean; readonly isAdopted: boolean },
  ): Promise<BuildTarget>;
}

/** A folder that a tree is built in, with its journal. */
export interface BuildTarget {
  /** Absolute path without links. */
  readonly folder: string;
  readonly fileSystem: TargetFileSystem;
  readonly precision: FactsPrecision;
  /** True if names that differ in case only are the same. */
  readonly ignoresCase: boolean;
  /** Number of bytes that can be written to the folder. */
  readonly freeBytes: number;
  /** False if no build has begun in the folder. */
  readonly hasJournal: boolean;
  readonly journal: Journal;
  readStates(paths: Iterable<string>): Promise<ReadonlyMap<string, Found>>;
  /** Returns the bytes of a file; null if there are more, or if the file is gone. */
  readList(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /** Returns true if files of a library root may share their blocks with files of the folder. */
  sharesBlocks(mode: BuildMode, root: string): Promise<boolean>;
  /** Records the set and the device that the folder is built for. */
  begin(header: JournalHeader): Promise<void>;
  /**
   * Writes the bytes of a file durably, under a temporary name. Several files can be staged at
   * once. Throws `StepProblem` if the file cannot be read.
   */
  stage(
    file: Pick<BuildEntry, 'path' | 'kind' | 'keys' | 'list'>,
    content: Content,
    before: BuildEntry | null,
    options: PlaceOptions,
  ): Promise<StagedFile>;
  /**
   * Gives staged files their names, in this order. No other change may be made meanwhile, but files
   * can be staged. Returns the problems by path, such as another file that has the name.
   */
  commit(files: readonly StagedFile[]): Promise<ReadonlyMap<string, StepProblem>>;
  /** Removes the bytes of staged files that get no name. */
  discard(files: readonly StagedFile[]): Promise<void>;
  /** Renames a file of the build. Throws `StepProblem`. */
  rename(before: BuildEntry, to: Pick<BuildEntry, 'path' | 'keys'>): Promise<void>;
  /** Removes a file of the build. Throws `StepProblem` if it was changed. */
  remove(before: BuildEntry): Promise<void>;
  /** Drops a file from the journal. The file itself is left unchanged. */
  forget(path: string): Promise<void>;
  /**
   * Removes the empty folders that the build made, except those for which `isNeeded` returns true.
   */
  removeFolders(isNeeded: (path: string) => boolean): Promise<void>;
  /** Compares a file with its source. Throws `StepProblem` if they differ. */
  compare(path: string, content: GameContent, signal: AbortSignal): Promise<void>;
  /** Empties the journal, so that it names no files. */
  reset(): Promise<void>;
  /** Ends the work on the folder. */
  close(): Promise<void>;
}

/** The reason why one file cannot be written, as a sentence. The build continues after it. */
export class StepProblem extends Error {
  readonly kind: 'conflict' | 'failed';

  constructor(kind: 'conflict' | 'failed', message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
