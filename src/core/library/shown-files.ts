import type { Actor } from '../shared/actor.ts';
import type { Identity } from './identity.ts';
import type { ImageHashes, LibraryRoot, MatchedBy, Method, ScannedFile } from './library-file.ts';
import type { Verdict } from './match.ts';

/** What is known of a file's release: by more than its name, by its name, left to several, or nothing. */
export const fileStates = ['matched', 'by-name', 'ambiguous', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export function stateOf({ match, tied }: Verdict): FileState {
  if (match !== null) return match.method === 'name' ? 'by-name' : 'matched';
  return tied.length > 0 ? 'ambiguous' : 'unknown';
}

/** Which files; "" for all. */
export interface FileFilter {
  /** Words in any order, in the file's name, the name that it should have, and its serial; case and accents are ignored. */
  readonly search: string;
  /** Exactly; that of the release, else of the root. */
  readonly system: string;
  /** `damaged`: something is wrong with the file, whatever its release. */
  readonly state: FileState | 'damaged' | '';
}

/** A file below any root, as it is listed. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  /** Absolute. */
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
  /** What is wrong with it, as a sentence about "it". */
  readonly problem: string | null;
}

export interface NamedRelease {
  readonly id: number;
  readonly name: string;
}

/** A release with what tells it from others of its name. */
export interface ToldRelease extends NamedRelease {
  /** "" for none. */
  readonly platform: string;
  readonly region: string;
  readonly serial: string;
}

/** A file with everything that decided about its release. */
export interface ExplainedFile extends ShownFile {
  readonly identity: Identity;
  /** Null until it was hashed. */
  readonly hashes: ImageHashes | null;
  /** The releases that each kind of evidence points at, strongest first; at most 20 of each. */
  readonly pointedAt: readonly { method: Method; releases: readonly NamedRelease[] }[];
  /** Those between which nothing decided, by id. */
  readonly candidates: readonly NamedRelease[];
  /** Whatever anything points at: the candidates, then the others, strongest evidence first; each once. */
  readonly choices: readonly ToldRelease[];
  /** The name of the file of its set that decided for it; null when it decided itself. */
  readonly decidedBy: string | null;
}

export type FileCounts = Readonly<Record<FileState | 'damaged', number>>;

/** A root as the last scan left it. */
export interface KnownRoot extends LibraryRoot {
  /** When a scan last walked it to its end; null when none did. */
  readonly scannedAt: string | null;
  /** Known below it. */
  readonly files: number;
  /** Why the last scan could say nothing of it, as a sentence about "it". */
  readonly problem: string | null;
}

/** Where a known file lies. */
export interface FilePlace {
  readonly root: LibraryRoot;
  readonly path: string;
  /** As that of `ScannedFile`. */
  readonly setKey: string | null;
}

/** A file that gets the release which an editor chose. */
export interface ChosenFile {
  readonly file: ScannedFile;
  readonly canonical: string | null;
}

/** The files of the library as people look at them, and what editors decide about them. */
export interface FileRecords {
  /** Ordered by name (code point), then id. */
  list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]>;
  /** How many files of each state the rest of the filter finds. */
  count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts>;
  find(id: number): Promise<ExplainedFile | null>;
  findPlace(id: number): Promise<FilePlace | null>;
  /** Those that were ever scanned or could not be, by path. */
  roots(): Promise<KnownRoot[]>;
  /**
   * Gives files below a root the release that an editor chose, or with null takes the choice back, so that they are to be
   * matched again; not those that changed since they were read. Recorded as done to the file `id`.
   */
  choose(
    root: LibraryRoot,
    files: readonly ChosenFile[],
    choice: { id: number; releaseId: number | null; actor: Actor },
  ): Promise<void>;
}
