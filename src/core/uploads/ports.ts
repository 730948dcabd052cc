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

/** Which uploads to list. */
export interface UploadFilter {
  /** Null for the uploads of all users. */
  readonly userId: number | null;
  readonly state?: UploadState | undefined;
  /** Timestamp; uploads that expired before it are left out. */
  readonly now: string;
  readonly page?: { readonly limit: number; readonly offset: number } | undefined;
}

/** The state of an upload after a chunk. */
export interface AfterChunk {
  readonly state: 'receiving' | 'checking';
  /** The process that checks it; null while it is being received. */
  readonly owner: string | null;
  readonly expiresAt: string | null;
}

/** The result of checking an upload. */
export interface UploadEnd {
  readonly state: 'done' | 'failed';
  /** Why it failed, else null. */
  readonly detail: string | null;
  readonly expiresAt: string;
}

/**
 * The uploads in the database. Each method that writes is one short transaction. One that takes an
 * actor throws `not authenticated` or `forbidden` when the actor has lost the right.
 */
export interface UploadRecords {
  /**
   * Throws `too many uploads` for a user with `mostOpen` uploads that are being received or
   * checked.
   */
  create(upload: NewUpload, owner: string | null, mostOpen: number): Promise<Upload>;
  find(id: number): Promise<Upload | null>;
  /** Newest first. */
  list(filter: UploadFilter): Promise<Upload[]>;
  /** In order. */
  listChunks(id: number): Promise<Chunk[]>;
  /** Throws `not authenticated` or `forbidden` when the actor has lost the right. */
  checkRight(actor: Actor): Promise<void>;
  /**
   * Returns false, and records nothing, when the upload is no longer being received or has another
   * offset.
   */
  addChunk(
    id: number,
    offset: number,
    chunk: Chunk,
    how: { readonly after: AfterChunk; readonly actor: Actor },
  ): Promise<boolean>;
  noteSha256(id: number, sha256: string): Promise<void>;
  /** Returns false, and records nothing, when the upload is not being checked by `owner`. */
  finish(id: number, owner: string, end: UploadEnd): Promise<boolean>;
  setExpiry(id: number, expiresAt: string): Promise<void>;
  /** `actor` requested the removal. */
  remove(id: number, actor: Actor): Promise<void>;
  listExpired(now: string): Promise<Upload[]>;
  /** Returns the uploads that are being checked, each with the process that checks it. */
  listChecked(): Promise<{ upload: Upload; owner: string }[]>;
  /** Returns false when the check has another owner than `from`. */
  takeCheck(id: number, from: string, to: string): Promise<boolean>;
  /** Returns the folders of all uploads. */
  listFolders(): Promise<ReadonlySet<string>>;
}

export type HashAlgorithm = 'sha1' | 'sha256';

/** An incremental hash. The user must end it with one call of `digest` or `drop`. */
export interface RunningHash {
  /** Returns an independent hash that continues from the current state. */
  copy(): RunningHash;
  digest(): Promise<Buffer>;
  drop(): void;
}

/** Hashes, calculated outside the thread that serves requests. */
export interface Hashes {
  start(algorithm: HashAlgorithm): RunningHash;
  /**
   * Adds the bytes to each hash. The bytes are in memory shared between threads, and must not
   * change until it resolves.
   */
  update(hashes: readonly RunningHash[], bytes: Uint8Array): Promise<void>;
}

/** Watches bytes while they are written. */
export interface BytesWatch {
  /** Called right before bytes are written. If it throws, `append` rejects with that error. */
  mayWrite(): void;
  /**
   * Receives the bytes in order, in memory shared between threads. They do not change until it
   * resolves.
   */
  take(bytes: Uint8Array): Promise<void>;
  /**
   * Called after all bytes were taken. If it throws, `append` rejects with that error and keeps
   * none of the bytes.
   */
  check(): Promise<void>;
}

/** A file that can be read by its path. */
export interface FetchedFile {
  /** Absolute path. */
  readonly path: string;
  /** Releases the file; never throws. */
  drop(): Promise<void>;
}

/**
 * The bytes of uploads, stored where they will be published: on that file system, or in the object
 * store.
 */
export interface UploadFiles {
  /** Whether uploads of this system have room for this many more bytes. */
  hasRoomFor(system: UploadSystem, bytes: number): Promise<boolean>;
  /**
   * Writes bytes after the first `offset` ones, replacing anything stored there. They are safe on
   * disk when it resolves. After a failure nothing is stored after the first `offset` bytes.
   * Rejects with the bytes' own error, with `insufficient storage` on a full disk, and with
   * `damaged upload` when fewer than `offset` bytes are stored.
   */
  append(
    place: UploadPlace,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
    watch?: BytesWatch,
  ): Promise<void>;
  has(place: UploadPlace): Promise<boolean>;
  /** Returns null when the file is missing. No chunk may follow. */
  open(place: UploadPlace): Promise<OpenedFile | null>;
  /**
   * Returns the file on this machine's disk, which the caller must drop; null when it is missing.
   * No chunk may follow. Throws `damaged upload` when the bytes that were transferred do not match
   * `version`. Also throws `insufficient storage` and the signal's reason.
   */
  fetch(
    place: UploadPlace,
    version: Pick<FileVersion, 'size' | 'sha256'>,
    signal: AbortSignal,
  ): Promise<FetchedFile | null>;
  /**
   * Stages the bytes for publishing in an area; no chunk may follow. Discarding them leaves the
   * bytes stored. Throws `damaged upload` when the bytes are missing or have another size.
   * `publish` also throws it once the bytes were removed.
   */
  stage(place: UploadPlace, version: Pick<FileVersion, 'size' | 'sha256'>): Promise<StagedFile>;
  /** Removes the file and its folder, if they exist. */
  remove(place: Pick<UploadPlace, 'folder'>): Promise<void>;
  /** Returns the existing folders. */
  listFolders(): Promise<string[]>;
}

/** The store, as uploads use it. */
export interface UploadedArchives {
  has(area: 'games' | 'videos', name: string): Promise<boolean>;
  /**
   * Returns whether the area has a file with this name and content, reading its bytes to compare.
   * Throws the signal's reason.
   */
  hasVersion(area: 'games' | 'videos', version: FileVersion, signal: AbortSignal): Promise<boolean>;
  /**
   * Publishes staged bytes under their name. Throws `archive exists` if the name is taken, unless
   * it `replaces`.
   */
  save(
    area: 'games' | 'videos',
    name: string,
    staged: StagedFile,
    actor: Actor,
    options: { readonly replaces: boolean },
  ): Promise<unknown>;
}
