import type { FileChange } from '../shared/file-change.ts';
import type { CoverOrigin } from './cover-origin.ts';

/** A cover that is put or removed, or a bundle that is written. */
export interface CoverChange extends FileChange {
  /** Null for a bundle. */
  readonly cover: {
    readonly releaseId: number;
    /** Null for one that a person uploaded, and for a removal. */
    readonly origin: CoverOrigin | null;
  } | null;
}

/** What is recorded of covers. */
export interface CoverRecords {
  /** Of the cover that was recorded last, when no person uploaded it: its origin and the file that it was. */
  findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null>;
  /** Whether somebody removed the release's cover and none was recorded since. */
  wasRemoved(releaseId: number): Promise<boolean>;
}

/** By what a source knows a release. */
export interface CoverSubject {
  readonly platform: string;
  /** The DATs' names, that of the source which brought the release first; at least one. */
  readonly names: readonly string[];
}

export interface CoverRelease {
  readonly id: number;
  readonly system: string;
  readonly name: string;
}

/** An answer without a cover, as it is remembered. */
export interface CoverMiss {
  /** The address of the source that was asked. */
  readonly source: string;
  /** `miss`: it has none; `failure`: it could not be asked. */
  readonly kind: 'miss' | 'failure';
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** What looking for covers needs to know of releases and of the library. */
export interface CoverSearchRecords {
  /** Null for a release that is unknown or of no platform. */
  findSubject(releaseId: number): Promise<CoverSubject | null>;
  findMiss(releaseId: number): Promise<CoverMiss | null>;
  /** In the place of what was remembered of the release before. */
  rememberMiss(releaseId: number, miss: CoverMiss): Promise<void>;
  /** All releases, or those of a system, in the order of their ids, in batches. */
  releases(system: string | undefined): AsyncIterable<readonly CoverRelease[]>;
  /** Those of these releases that there are, in the order of their ids. */
  releasesOf(ids: readonly number[]): Promise<readonly CoverRelease[]>;
  /** The releases whose cover was recorded as taken from a disc. */
  releasesFromDisc(): Promise<ReadonlySet<number>>;
  /** The files below the library roots that are recognised PSP and UMD Video images, in the order of their paths. */
  discImages(roots: readonly string[]): Promise<readonly { releaseId: number; path: string }[]>;
}

/** What a source answers. */
export type SourceAnswer =
  | { readonly kind: 'image'; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: 'miss'; readonly reason: string }
  | {
      readonly kind: 'failure';
      readonly reason: string;
      /** Milliseconds after which the source wants to be asked again; null when it does not say. */
      readonly retryAfterMs: number | null;
    };

/** A server with covers. */
export interface CoverSource {
  /** Its base address; tells one source from another. */
  readonly address: string;
  /**
   * Looks for a cover, within 15 s in all. `polite` spaces the requests out. Throws the signal's reason when it is
   * aborted, and nothing else.
   */
  fetch(
    subject: CoverSubject,
    options: { signal: AbortSignal; polite: boolean },
  ): Promise<SourceAnswer>;
}

/** The picture inside a disc image; null when it has none. Throws what the system cannot read. */
export type ReadDiscArt = (path: string) => Promise<{ name: string; bytes: Uint8Array } | null>;

/** A member of a zip; its bytes are opened when their turn comes. */
export interface ZipMember {
  readonly name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** The bytes of a zip of these members, uncompressed and without times: the same members give the same bytes. */
export type WriteZip = (members: readonly ZipMember[]) => AsyncIterable<Uint8Array>;

/**
 * The first frame of a picture as WebP, turned as it says, at most so many pixels wide and never enlarged. Null when the
 * bytes are no picture, or one that is too large or takes too long to read. `large`: it takes hundreds of megabytes to
 * read, and is not read unless `evenIfLarge`.
 */
export type ShrinkImage = (
  bytes: Uint8Array,
  width: number,
  options: { evenIfLarge: boolean },
) => Promise<Uint8Array | 'large' | null>;
