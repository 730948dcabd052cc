import type { StoredFile } from '../shared/files/file-area.ts';
import type { FileChange } from '../shared/files/file-change.ts';
import type { CoverOrigin } from './cover-origin.ts';

/** A change of covers: a cover is stored or removed, or a bundle is written. */
export interface CoverChange extends FileChange {
  /** The changed cover; null when a bundle is written. */
  readonly cover: {
    readonly releaseId: number;
    /** Origin of the new cover; null for an uploaded cover, and when a cover is removed. */
    readonly origin: CoverOrigin | null;
  } | null;
}

/** The database records of covers. */
export interface CoverRecords {
  /**
   * Returns the origin of the most recently recorded cover, with its file as recorded. Returns null
   * when a user uploaded that cover, or no origin is recorded.
   */
  findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null>;
  /** Returns true if a user removed the release's cover and no cover was recorded since then. */
  wasRemoved(releaseId: number): Promise<boolean>;
  /**
   * Returns the recorded SHA-256 of each of these files, by name. Files that have changed since
   * they were stored are absent.
   */
  findChecksums(files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>>;
}

/** The platform and names with which a source is searched for a release. */
export interface CoverSearchTerms {
  readonly platform: string;
  /**
   * The names of the release in the DATs; at least one. The first name comes from the source that
   * introduced the release.
   */
  readonly names: readonly string[];
}

export interface CoverRelease {
  readonly id: number;
  readonly system: string;
  readonly name: string;
}

/** The record of a search that found no cover. */
export interface CoverMiss {
  /** The base URL of the source. */
  readonly source: string;
  /** `miss`: the source has no cover; `failure`: the source could not be reached. */
  readonly kind: 'miss' | 'failure';
  readonly reason: string;
  /** Time of the request to the source, in milliseconds since 1970. */
  readonly requestedAt: number;
}

/** The database records that a search for covers needs. */
export interface CoverSearchRecords {
  /**
   * Returns the platform and names of a release. Returns null if the release is unknown or has no
   * platform.
   */
  findSearchTerms(releaseId: number): Promise<CoverSearchTerms | null>;
  findMiss(releaseId: number): Promise<CoverMiss | null>;
  /** Records a search that found no cover. Replaces an earlier record of the release. */
  recordMiss(releaseId: number, miss: CoverMiss): Promise<void>;
  /** Yields all releases, or only those of `system`, ordered by id, in batches. */
  releases(system: string | undefined): AsyncIterable<readonly CoverRelease[]>;
  /** Returns the releases with these ids, ordered by id. Ids of unknown releases are ignored. */
  releasesOf(ids: readonly number[]): Promise<readonly CoverRelease[]>;
  /** Returns the ids of the releases for which the library has a file, in no particular order. */
  ownedReleases(): Promise<readonly number[]>;
  /** Returns the ids of the releases whose cover was recorded as taken from a disc image. */
  releasesFromDisc(): Promise<ReadonlySet<number>>;
  /** Returns the recognised PSP and UMD Video images below these library roots, ordered by path. */
  discImages(roots: readonly string[]): Promise<readonly { releaseId: number; path: string }[]>;
}

/** The response of a source. */
export type SourceResponse =
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly url: string }
  | { readonly kind: 'miss'; readonly reason: string }
  | {
      readonly kind: 'failure';
      readonly reason: string;
      /**
       * The pause before a retry that the source demands, in milliseconds; null if it demands none.
       */
      readonly retryAfterMs: number | null;
    };

/** A server that covers are fetched from. */
export interface CoverSource {
  /** Base URL of the server, which also identifies the source in records. */
  readonly url: string;
  /**
   * Fetches a cover; takes at most 15 s. With `isPaced`, pauses between requests to the server.
   * Throws only the signal's reason, when aborted.
   */
  fetch(
    terms: CoverSearchTerms,
    options: { signal: AbortSignal; isPaced: boolean },
  ): Promise<SourceResponse>;
}

/**
 * Returns the picture inside a disc image; null when there is none. Throws a system error when the
 * image cannot be read.
 */
export type ReadDiscArt = (path: string) => Promise<{ name: string; bytes: Uint8Array } | null>;

/** A file to write into a zip. Its bytes are opened only when they are needed. */
export interface ZipMember {
  readonly name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Returns the bytes of a zip of these members. The members are stored uncompressed and without
 * times. The same members therefore produce the same bytes.
 */
export type WriteZip = (members: readonly ZipMember[]) => AsyncIterable<Uint8Array>;

/**
 * Converts the first frame of a picture to WebP, rotated by the picture's orientation. The result
 * is at most `width` pixels wide, and never enlarged. Returns null when the bytes are not a
 * picture, or when the picture is too large or takes too long to read. Returns `large` if reading
 * the picture takes hundreds of megabytes of memory and `evenIfLarge` is not set.
 */
export type ShrinkImage = (
  bytes: Uint8Array,
  width: number,
  options: { evenIfLarge: boolean },
) => Promise<Uint8Array | 'large' | null>;
