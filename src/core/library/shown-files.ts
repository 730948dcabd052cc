import type { Actor } from '../shared/requests/actor.ts';
import type { Identity } from './identity.ts';
import type { ImageHashes, LibraryRoot, MatchMethod, Method, ScannedFile } from './library-file.ts';
import type { Verdict } from './match/match.ts';
import type { MatchRule } from './match/reasons.ts';

/**
 * The states of a file according to its match:
 * - `matched`: a release was matched by more than the name of the file.
 * - `by-name`: a release was matched only by the name of the file.
 * - `ambiguous`: several releases remain.
 * - `unknown`: no release matches.
 */
export const fileStates = ['matched', 'by-name', 'ambiguous', 'unknown'] as const;
export type FileState = (typeof fileStates)[number];

export function stateOf({ match, tied }: Pick<Verdict, 'match' | 'tied'>): FileState {
  if (match !== null) return match.method === 'name' ? 'by-name' : 'matched';
  return tied.length > 0 ? 'ambiguous' : 'unknown';
}

/** A filter for files. A field that is "" matches all files. */
export interface FileFilter {
  /**
   * Words that must all occur in the file's name, its canonical name or its serial. Word order,
   * case and accents are ignored.
   */
  readonly search: string;
  /**
   * The exact system of the file's release. For a file without a release, the exact system of the
   * file's root.
   */
  readonly system: string;
  /**
   * The state to select. `damaged` selects files that have a problem, with or without a release.
   */
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
  readonly method: MatchMethod | null;
  readonly canonical: string | null;
  /**
   * The problem of the file, as a sentence that refers to the file as "it". Null if the file has no
   * problem.
   */
  readonly problem: string | null;
}

export interface NamedRelease {
  readonly id: number;
  readonly name: string;
}

/** A release with the fields that distinguish it from other releases with the same name. */
export interface DistinguishedRelease extends NamedRelease {
  /** "" if the release has no platform. */
  readonly platform: string;
  readonly region: string;
  readonly serial: string;
}

/** A rule of matching that was applied, and whether it held for a release. */
export interface ReasonForRelease {
  readonly rule: MatchRule;
  readonly release: NamedRelease;
  readonly held: boolean;
}

/** A file with all the evidence for its release. */
export interface ExplainedFile extends ShownFile {
  /** The platform of the file's release. Null without a release, "" if it has no platform. */
  readonly releasePlatform: string | null;
  readonly identity: Identity;
  /** Null until the file is hashed. */
  readonly hashes: ImageHashes | null;
  /**
   * The releases that each kind of evidence matches, at most 20 for each kind. The strongest
   * evidence comes first.
   */
  readonly releasesByMethod: readonly { method: Method; releases: readonly NamedRelease[] }[];
  /** The tied releases, ordered by id. Releases are tied if no evidence decides between them. */
  readonly candidates: readonly NamedRelease[];
  /**
   * All releases that any evidence matches, each listed once. The tied releases come first. The
   * others follow, ordered by their evidence, strongest first.
   */
  readonly choices: readonly DistinguishedRelease[];
  /**
   * The name of the other file in the set that decided this file's release. Null if the file's own
   * content decided.
   */
  readonly decidedBy: string | null;
  /**
   * The rules that decided, in the order in which they were applied. Each rule is listed once for
   * every release that it kept or ruled out. Empty if an editor chose the release.
   */
  readonly why: readonly ReasonForRelease[];
}

export type FileCounts = Readonly<Record<FileState | 'damaged', number>>;

/** A root with the results of its last scan. */
export interface KnownRoot extends LibraryRoot {
  /** Time when a scan last walked the root completely. Null if no scan did. */
  readonly scannedAt: string | null;
  /** Number of known files below the root. */
  readonly files: number;
  /**
   * The reason why the last scan could not scan the root, as a sentence that refers to the root as
   * "it". Null if the scan succeeded.
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

/** The location of a file that was matched with a release. */
export interface ReleasePlace extends Pick<FilePlace, 'root' | 'path'> {
  readonly name: string;
  /** Size of the file in bytes. */
  readonly size: number;
}

/** An undecided file, with the ids of its tied releases. */
export interface UndecidedFile {
  readonly id: number;
  readonly name: string;
  readonly tied: readonly number[];
}

/** Files below one root that get the release that an editor chose for the file `id`. */
export interface FilesChoice {
  readonly root: LibraryRoot;
  readonly files: readonly ChosenFile[];
  readonly id: number;
  /** Null withdraws the choice. */
  readonly releaseId: number | null;
}

/**
 * A file that gets the release that an editor chose. `canonical` is the name that the file should
 * have.
 */
export interface ChosenFile {
  readonly file: ScannedFile;
  readonly canonical: string | null;
}

/** The files of the library as shown to users, and the releases that editors choose for them. */
export interface FileRecords {
  /** Returns a page of files, ordered by name (code point), then by id. */
  list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]>;
  /** Counts the files that pass the filter, by state. */
  count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts>;
  find(id: number): Promise<ExplainedFile | null>;
  findPlace(id: number): Promise<FilePlace | null>;
  /** Returns all roots that a scan walked or tried to walk, ordered by path. */
  roots(): Promise<KnownRoot[]>;
  /** Returns the files that were matched with a release, ordered by name, then by path. */
  placesOfRelease(releaseId: number): Promise<ReleasePlace[]>;
  /** Returns the first undecided files, ordered by name (code point), then by id. */
  listUndecided(limit: number): Promise<UndecidedFile[]>;
  /** Returns the releases with these ids that are visible to users, by id. */
  findReleases(ids: readonly number[]): Promise<Map<number, DistinguishedRelease>>;
  /**
   * Assigns the releases that an editor chose, all in one transaction. If the release of a choice
   * is null, withdraws the choice; the files then have to be matched again. Skips files that
   * changed since they were read. Returns the ids of the choices that changed a file. The audit log
   * records these, each for its file `id`.
   */
  choose(choices: readonly FilesChoice[], actor: Actor): Promise<number[]>;
}
