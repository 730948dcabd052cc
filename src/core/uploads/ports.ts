import type { Actor } from '../shared/actor.ts';
import type { OpenedFile, StagedFile } from '../shared/file-area.ts';
import type { FileVersion } from '../shared/file-change.ts';
import type { Chunk, Upload, UploadPlace, UploadState, UploadSystem } from './upload.ts';

export type NewUpload = Pick<
  Upload,
  | 'system'
  | 'folder'
  | 'filename'
  | 'size'
  | 'state'
  | 'expiresAt'
  | 'replaces'
  | 'metadata'
  | 'actor'
>;

/** Which uploads are listed. */
export interface UploadFilter {
  /** Null for everybody's. */
  readonly userId: number | null;
  readonly state?: UploadState | undefined;
  /** Those that expired before are left out: a timestamp. */
  readonly now: string;
  readonly page?: { readonly limit: number; readonly offset: number } | undefined;
}

/** How an upload goes on after a chunk. */
export interface AfterChunk {
  readonly state: 'receiving' | 'checking';
  /** The process that checks it; null while it is received. */
  readonly owner: string | null;
  readonly expiresAt: string | null;
}

/** How the check of an upload ended. */
export interface UploadEnd {
  readonly state: 'done' | 'failed';
  /** Why it failed; else null. */
  readonly detail: string | null;
  readonly expiresAt: string;
}

/**
 * The uploads in the database. Each method that writes is one short transaction; one that takes an actor throws
 * `not authenticated` or `forbidden` when the right of the actor is lost.
 */
export interface UploadRecords {
  /** Throws `too many uploads` for a user who has `mostOpen` that are received or checked. */
  create(upload: NewUpload, owner: string | null, mostOpen: number): Promise<Upload>;
  find(id: number): Promise<Upload | null>;
  /** The newest first. */
  list(filter: UploadFilter): Promise<Upload[]>;
  /** In their order. */
  listChunks(id: number): Promise<Chunk[]>;
  /** Throws `not authenticated` or `forbidden` when the right of the actor is lost. */
  checkRight(actor: Actor): Promise<void>;
  /** False, and nothing is recorded, when the upload is not received any more or has another offset. */
  addChunk(
    id: number,
    offset: number,
    chunk: Chunk,
    how: { readonly after: AfterChunk; readonly actor: Actor },
  ): Promise<boolean>;
  noteSha256(id: number, sha256: string): Promise<void>;
  /** False, and nothing is recorded, when the upload is not checked by `owner`. */
  finish(id: number, owner: string, end: UploadEnd): Promise<boolean>;
  setExpiry(id: number, expiresAt: string): Promise<void>;
  /** `actor` is who asked for it. */
  remove(id: number, actor: Actor): Promise<void>;
  listExpired(now: string): Promise<Upload[]>;
  /** Those that are checked, each with the process that does it. */
  listChecked(): Promise<{ upload: Upload; owner: string }[]>;
  /** False when the check has another owner than `from`. */
  takeCheck(id: number, from: string, to: string): Promise<boolean>;
  /** The folders of all uploads. */
  listFolders(): Promise<ReadonlySet<string>>;
}

export type HashAlgorithm = 'sha1' | 'sha256';

/** A hash of bytes that come one after the other. One of `digest` and `drop` is called in the end. */
export interface RunningHash {
  /** Another one, which goes on from here by itself. */
  copy(): RunningHash;
  digest(): Promise<Buffer>;
  drop(): void;
}

/** Hashes, made elsewhere than on the thread that answers requests. */
export interface Hashes {
  start(algorithm: HashAlgorithm): RunningHash;
  /** Goes on with each; the bytes stand in memory that threads share, and stay as they are until it resolves. */
  update(hashes: readonly RunningHash[], bytes: Uint8Array): Promise<void>;
}

/** Who looks at bytes while they are written. */
export interface BytesWatch {
  /** Asked right before bytes are written; what it throws, `append` rejects with. */
  mayWrite(): void;
  /** Bytes in memory that threads share, in their order; they stay as they are until it resolves. */
  take(bytes: Uint8Array): Promise<void>;
  /** After all were taken. What it throws, `append` rejects with, and none of the bytes are kept. */
  check(): Promise<void>;
}

/** A file that can be read by its path. */
export interface FetchedFile {
  /** Absolute. */
  readonly path: string;
  /** Lets it go; never throws. */
  drop(): Promise<void>;
}

/** The bytes of uploads, where they will have their name: on that file system, or in the object store. */
export interface UploadFiles {
  /** Whether there is room for this many bytes more where uploads of this system are stored. */
  hasRoomFor(system: UploadSystem, bytes: number): Promise<boolean>;
  /**
   * Writes bytes behind the first `offset` ones, in place of what may lie there; they are safe on disk when it resolves.
   * After a failure nothing lies behind the first `offset` bytes. Rejects with the bytes' own error, with `insufficient
   * storage` on a full disk, with `damaged upload` when there are fewer bytes than `offset`.
   */
  append(
    place: UploadPlace,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
    watch?: BytesWatch,
  ): Promise<void>;
  has(place: UploadPlace): Promise<boolean>;
  /** Null when the file is not there. No chunk follows. */
  open(place: UploadPlace): Promise<OpenedFile | null>;
  /**
   * The file as one of this machine's disk, which has to be dropped; null when it is not there. No chunk follows. Throws
   * `damaged upload` when other bytes came from elsewhere than `version` says, `insufficient storage`, and the signal's reason.
   */
  fetch(
    place: UploadPlace,
    version: Pick<FileVersion, 'size' | 'sha256'>,
    signal: AbortSignal,
  ): Promise<FetchedFile | null>;
  /**
   * Its bytes as what an area publishes; no chunk follows. Bytes that are discarded stay where they are. Throws `damaged
   * upload` when they are not there, or not as many; so does `publish` once they were removed.
   */
  stage(place: UploadPlace, version: Pick<FileVersion, 'size' | 'sha256'>): Promise<StagedFile>;
  /** Removes the file and its folder, where they are there. */
  remove(place: Pick<UploadPlace, 'folder'>): Promise<void>;
  /** The folders that are there. */
  listFolders(): Promise<string[]>;
}

/** The store, as uploads know it. */
export interface UploadedArchives {
  has(area: 'games' | 'videos', name: string): Promise<boolean>;
  /** Whether the area has a file of this name and these bytes, which are read for it. Throws the signal's reason. */
  hasVersion(area: 'games' | 'videos', version: FileVersion, signal: AbortSignal): Promise<boolean>;
  /** Gives staged bytes their name. Throws `archive exists` for a name that is taken, unless it `replaces`. */
  save(
    area: 'games' | 'videos',
    name: string,
    staged: StagedFile,
    actor: Actor,
    options: { readonly replaces: boolean },
  ): Promise<unknown>;
}
