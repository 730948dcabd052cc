import type { Actor } from '../shared/actor.ts';
import type { Identity } from './identity.ts';
import type { ImageHashes, LibraryRoot, MatchedBy, Method, ScannedFile } from './library-file.ts';
import type { Verdict } from './match.ts';

/**
 * States of a file by its release: matched by more than its name, matched by its name, left to
 * several releases, or unknown.
 */
export const fileStates = ['matched', 'by-name', 'ambiguous', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export function stateOf({ match, tied }: Verdict): FileState {
  if (match !== null) return match.method === 'name' ? 'by-name' : 'matched';
  return tied.length > 0 ? 'ambiguous' : 'unknown';
}

/** A filter for files; "" matches all. */
export interface FileFilter {
  /**
   * Words in any order, searched for in the file's name, the name it should have, and its serial.
   * Case and accents are ignored.
   */
  readonly search: string;
  /** Exact system: that of the release, else of the root. */
  readonly system: string;
  /** `damaged` selects files that have a problem, regardless of their release. */
  readonly state: FileState | 'damaged' | '';
}

/** A file below any root, as shown in lists. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly system: string;
  readonly state: FileState;
  readonly releaseId: number | null;
  readonly releaseName: string | null;
  readonly serial: string | null;
  readonly method: MatchedBy | null;
  readonly canonical: string | null;
  /** The file's problem, as a sentence about "it"; null if there is none. */
  readonly problem: string | null;
}

export interface NamedRelease {
  readonly id: number;
  readonly name: string;
}

/** A release with the fields that distinguish it from others of the same name. */
export interface ToldRelease extends NamedRelease {
  /** "" for none. */
  readonly platform: string;
  readonly region: string;
  readonly serial: string;
}

/** A file with all the evidence that decided its release. */
export interface ExplainedFile extends ShownFile {
  readonly identity: Identity;
  /** Null until the file is hashed. */
  readonly hashes: ImageHashes | null;
  /**
   * The releases that each kind of evidence matches, strongest evidence first; at most 20 of each
   * kind.
   */
  readonly pointedAt: readonly { method: Method; releases: readonly NamedRelease[] }[];
  /** The tied releases, between which nothing decided, ordered by id. */
  readonly candidates: readonly NamedRelease[];
  /**
   * All releases that any evidence matches, each once: the tied ones, then the others, strongest
   * evidence first.
   */
  readonly choices: readonly ToldRelease[];
  /** The name of the file in its set that decided its release; null if it decided itself. */
  readonly decidedBy: string | null;
}

export type FileCounts = Readonly<Record<FileState | 'damaged', number>>;

/** A root with the results of its last scan. */
export interface KnownRoot extends LibraryRoot {
  /** When a scan last walked the root to its end; null if never. */
  readonly scannedAt: string | null;
  /** Number of known files below the root. */
  readonly files: number;
  /** Why the last scan could not scan the root, as a sentence about "it". */
  readonly problem: string | null;
}

/** The location of a known file. */
export interface FilePlace {
  readonly root: LibraryRoot;
  readonly path: string;
  /** See `ScannedFile`. */
  readonly setKey: string | null;
}

/** A file that is assigned the release an editor chose. */
export interface ChosenFile {
  readonly file: ScannedFile;
  readonly canonical: string | null;
}

/** The files of the library as shown to users, and the releases that editors choose for them. */
export interface FileRecords {
  /** Lists a page of files, ordered by name (code point), then id. */
  list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]>;
  /** Counts the files that match the rest of the filter, by state. */
  count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts>;
  find(id: number): Promise<ExplainedFile | null>;
  findPlace(id: number): Promise<FilePlace | null>;
  /** Returns the roots that a scan walked or failed to walk, ordered by path. */
  roots(): Promise<KnownRoot[]>;
  /**
   * Assigns the release that an editor chose to files below a root. With null it withdraws the
   * choice, and the files are to be matched again. Skips files that changed since they were read.
   * The audit records it for the file `id`.
   */
  choose(
    root: LibraryRoot,
    files: readonly ChosenFile[],
    choice: { id: number; releaseId: number | null; actor: Actor },
  ): Promise<void>;
}
