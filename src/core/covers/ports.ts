import type { FileChange } from '../shared/file-change.ts';
import type { CoverOrigin } from './cover-origin.ts';

/** A cover that is stored or removed, or a bundle that is written. */
export interface CoverChange extends FileChange {
  /** Null for a bundle. */
  readonly cover: {
    readonly releaseId: number;
    /** Null for an uploaded cover, and for a removal. */
    readonly origin: CoverOrigin | null;
  } | null;
}

/** The records of covers. */
export interface CoverRecords {
  /**
   * Returns the origin of the last recorded cover and its file at that time; null when a user
   * uploaded it.
   */
  findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null>;
  /** Whether a user removed the release's cover and none was recorded since. */
  wasRemoved(releaseId: number): Promise<boolean>;
}

/** The key by which a source identifies a release. */
export interface CoverSubject {
  readonly platform: string;
  /** The names in the DATs, starting with the source that introduced the release; at least one. */
  readonly names: readonly string[];
}

export interface CoverRelease {
  readonly id: number;
  readonly system: string;
  readonly name: string;
}

/** The record of a search without a result. */
export interface CoverMiss {
  /** The base URL of the source. */
  readonly source: string;
  /** `miss`: the source has no cover; `failure`: the source could not be reached. */
  readonly kind: 'miss' | 'failure';
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** The records of releases and of the library that a cover search needs. */
export interface CoverSearchRecords {
  /** Returns null for a release that is unknown or has no platform. */
  findSubject(releaseId: number): Promise<CoverSubject | null>;
  findMiss(releaseId: number): Promise<CoverMiss | null>;
  /** Replaces the release's earlier record. */
  rememberMiss(releaseId: number, miss: CoverMiss): Promise<void>;
  /** Streams all releases, or those of a system, ordered by id, in batches. */
  releases(system: string | undefined): AsyncIterable<readonly CoverRelease[]>;
  /** Returns those of the given releases that exist, ordered by id. */
  releasesOf(ids: readonly number[]): Promise<readonly CoverRelease[]>;
  /** Returns the releases whose cover was recorded as taken from a disc. */
  releasesFromDisc(): Promise<ReadonlySet<number>>;
  /** Returns the recognised PSP and UMD Video images below the library roots, ordered by path. */
  discImages(roots: readonly string[]): Promise<readonly { releaseId: number; path: string }[]>;
}

/** A source's answer. */
export type SourceAnswer =
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: 'miss'; readonly reason: string }
  | {
      readonly kind: 'failure';
      readonly reason: string;
      /** Milliseconds after which the source asks for a retry; null when it does not say. */
      readonly retryAfterMs: number | null;
    };

/** A server that provides covers. */
export interface CoverSource {
  /** Its base URL; identifies the source. */
  readonly address: string;
  /**
   * Looks for a cover, within 15 s in total. `polite` spaces the requests out. Throws nothing but
   * the signal's reason, when it is aborted.
   */
  fetch(
    subject: CoverSubject,
    options: { signal: AbortSignal; polite: boolean },
  ): Promise<SourceAnswer>;
}

/**
 * Returns the picture inside a disc image; null when it has none. Throws system errors of reading
 * the image.
 */
export type ReadDiscArt = (path: string) => Promise<{ name: string; bytes: Uint8Array } | null>;

/** A member of a zip; its bytes are opened when they are needed. */
export interface ZipMember {
  readonly name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Returns the bytes of a zip of these members, uncompressed and without times: equal members give
 * equal bytes.
 */
export type WriteZip = (members: readonly ZipMember[]) => AsyncIterable<Uint8Array>;

/**
 * Returns the first frame of a picture as WebP, rotated by its orientation, at most `width` pixels
 * wide and never enlarged. Returns null when the bytes are not a picture, or when the picture is
 * too large or takes too long to read. Returns `large` for a picture that takes hundreds of
 * megabytes to read, unless `evenIfLarge`.
 */
export type ShrinkImage = (
  bytes: Uint8Array,
  width: number,
  options: { evenIfLarge: boolean },
) => Promise<Uint8Array | 'large' | null>;
