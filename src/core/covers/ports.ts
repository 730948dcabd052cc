import type { Actor } from '../shared/actor.ts';
import type { StoredFile } from '../shared/file-area.ts';
import type { CoverOrigin } from './cover-origin.ts';

export interface CoverRecords {
  /**
   * Records a new cover, its actor and its origin (null: a person gave it) in one transaction, publishing the bytes
   * inside it. What `publish` throws undoes everything.
   */
  recordCover(
    cover: {
      releaseId: number;
      name: string;
      size: number;
      sha256: string;
      origin: CoverOrigin | null;
    },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile>;
  /** Records the removal of a release's covers and carries it out inside the transaction. */
  recordCoverRemoval(
    releaseId: number,
    actor: Actor,
    remove: () => Promise<boolean>,
  ): Promise<boolean>;
  /** Records a cover bundle and its actor in one transaction, publishing the bytes inside it. */
  recordBundle(
    bundle: { name: string; size: number; sha256: string },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile>;
  /** Of the cover that was recorded last, when no person gave it: its origin and the file that it was. */
  findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null>;
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
  /** The address of the source that was asked; see also cover-removal.ts. */
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
  forgetMiss(releaseId: number): Promise<void>;
  /** All releases, or those of a system, in the order of their ids, in batches. */
  releases(system: string | undefined): AsyncIterable<readonly CoverRelease[]>;
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
