import type { Actor } from '../shared/actor.ts';
import type { Identity } from './identity.ts';
import type { ImageHashes, LibraryRoot, MatchedBy, Method, ScannedFile } from './library-file.ts';
import type { Verdict } from './match.ts';

/**
 * The states of a file according to its match. `matched`: by more than its name. `by-name`: only by
 * its name. `ambiguous`: several releases remain. `unknown`: no release matches.
 */
export const fileStates = ['matched', 'by-name', 'ambiguous', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export function stateOf({ match, tied }: Verdict): FileState {
  if (match !== null) return match.method === 'name' ? 'by-name' : 'matched';
  return tied.length > 0 ? 'ambiguous' : 'unknown';
}

/** A filter for files. An empty text in a field matches all files. */
export interface FileFilter {
  /**
   * Words that must all occur, in any order, in the file's name, its canonical name or its serial.
   * Case and accents are ignored.
   */
  readonly search: string;
  /** The exact system of the file's release; for a file without a release, of its root. */
  readonly system: string;
  /** The state to select. `damaged` selects files that have a problem, whatever their release. */
  readonly state: FileState | 'damaged' | '';
}

/** A file below any root, as shown in lists. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly system: string;
  readonly state: FileState;
  readonly releaseId: number | null;
  readonly releaseName: string | null;
  readonly serial: string | null;
  readonly method: MatchedBy | null;
  readonly canonical: string | null;
  /** The file's problem, as a sentence that calls the file "it"; null if there is none. */
  readonly problem: string | null;
}

export interface NamedRelease {
  readonly id: number;
  readonly name: string;
}

/** A release with the fields by which users can tell it from others of the same name. */
export interface ToldRelease extends NamedRelease {
  /** "" if the release has no platform. */
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
   * The releases that each kind of evidence matches, at most 20 of each kind. The strongest
   * evidence comes first.
   */
  readonly pointedAt: readonly { method: Method; releases: readonly NamedRelease[] }[];
  /** The tied releases, ordered by id. No evidence decided between them. */
  readonly candidates: readonly NamedRelease[];
  /**
   * All releases that any evidence matches, each once. The tied releases come first, then the
   * others, strongest evidence first.
   */
  readonly choices: readonly ToldRelease[];
  /**
   * The name of the file in the set that decided this file's release. Null if the file itself
   * decided.
   */
  readonly decidedBy: string | null;
}

export type FileCounts = Readonly<Record<FileState | 'damaged', number>>;

/** A root with the results of its last scan. */
export interface KnownRoot extends LibraryRoot {
  /** Time when a scan last walked the root to its end; null if none did. */
  readonly scannedAt: string | null;
  /** Number of known files below the root. */
  readonly files: number;
  /**
   * The reason why the last scan could not scan the root, as a sentence that calls the root "it";
   * null if it could.
   */
  readonly problem: string | null;
}

/** The location of a known file. */
export interface FilePlace {
  readonly root: LibraryRoot;
  readonly path: string;
  /** The key of the file's set; see `ScannedFile.setKey`. */
  readonly setKey: string | null;
}

/** A file to which an editor's chosen release is assigned, and the name it should have. */
export interface ChosenFile {
  readonly file: ScannedFile;
  readonly canonical: string | null;
}

/** The files of the library as shown to users, and the releases that editors choose for them. */
export interface FileRecords {
  /** Lists a page of files, ordered by name (code point), then id. */
  list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]>;
  /** Counts, by state, the files that pass the filter. */
  count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts>;
  find(id: number): Promise<ExplainedFile | null>;
  findPlace(id: number): Promise<FilePlace | null>;
  /** Returns all roots that a scan walked or tried to walk, ordered by path. */
  roots(): Promise<KnownRoot[]>;
  /**
   * Assigns the release that an editor chose to files below a root. If `releaseId` is null,
   * withdraws the choice; the files then have to be matched again. Skips files that changed since
   * they were read. The audit log records the choice for the file `id`.
   */
  choose(
    root: LibraryRoot,
    files: readonly ChosenFile[],
    choice: { id: number; releaseId: number | null; actor: Actor },
  ): Promise<void>;
}
