import type { OpenedFile, StagedFile } from '../shared/files/file-area.ts';
import type { FileVersion } from '../shared/files/file-change.ts';
import type { Actor } from '../shared/requests/actor.ts';
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

/** Selects uploads by user and state. */
export interface UploadFilter {
  /** Id of the user; null selects the uploads of all users. */
  readonly userId: number | null;
  readonly state?: UploadState | undefined;
  /** The present time as a timestamp. Uploads that have expired by this time are not listed. */
  readonly now: string;
  readonly page?: { readonly limit: number; readonly offset: number } | undefined;
}

/** The state of an upload after a chunk is recorded. */
export interface AfterChunk {
  readonly state: 'receiving' | 'checking';
  /** The process that checks the upload; null while chunks are being received. */
  readonly owner: string | null;
  readonly expiresAt: string | null;
}

/** The outcome of checking an upload. */
export interface UploadOutcome {
  readonly state: 'done' | 'failed';
  /** The reason if the upload failed; null otherwise. */
  readonly detail: string | null;
  readonly expiresAt: string;
}

/**
 * The records of uploads in the database. Each method that writes is one short transaction. A
 * method with an actor throws `not authenticated` or `forbidden` when the actor no longer has the
 * right to write.
 */
export interface UploadRecords {
  /**
   * Records a new upload. Throws `too many uploads` if the user already has `maxOpen` uploads in
   * the states `receiving` and `checking`.
   */
  create(upload: NewUpload, owner: string | null, maxOpen: number): Promise<Upload>;
  find(id: number): Promise<Upload | null>;
  /** Lists uploads, newest first. */
  list(filter: UploadFilter): Promise<Upload[]>;
  /** Returns the chunks of an upload, in order. */
  listChunks(id: number): Promise<Chunk[]>;
  /** Throws `not authenticated` or `forbidden` when the actor no longer has the right to write. */
  checkRight(actor: Actor): Promise<void>;
  /**
   * Records a received chunk. Returns false, and records nothing, when the upload is no longer
   * being received or has another offset.
   */
  addChunk(
    id: number,
    offset: number,
    chunk: Chunk,
    how: { readonly after: AfterChunk; readonly actor: Actor },
  ): Promise<boolean>;
  recordSha256(id: number, sha256: string): Promise<void>;
  /**
   * Records the outcome of a check. Returns false, and records nothing, unless `owner` is checking
   * the upload.
   */
  finish(id: number, owner: string, end: UploadOutcome): Promise<boolean>;
  setExpiry(id: number, expiresAt: string): Promise<void>;
  /** Removes the record of an upload. `actor` is the user or program that requested the removal. */
  remove(id: number, actor: Actor): Promise<void>;
  listExpired(now: string): Promise<Upload[]>;
  /** Returns the uploads that are being checked, each with the process that checks the upload. */
  listChecked(): Promise<{ upload: Upload; owner: string }[]>;
  /** Makes `to` the owner of a check. Returns false when the present owner is not `from`. */
  takeOverCheck(id: number, from: string, to: string): Promise<boolean>;
  /** Returns the folders of all recorded uploads. */
  listFolders(): Promise<ReadonlySet<string>>;
}

export type HashAlgorithm = 'sha1' | 'sha256';

/**
 * A hash that is calculated step by step. The caller must end it with exactly one call of `digest`
 * or `drop`.
 */
export interface RunningHash {
  /** Returns an independent copy of the hash in its present state. */
  copy(): RunningHash;
  digest(): Promise<Buffer>;
  drop(): void;
}

/** Calculates hashes outside the thread that serves requests. */
export interface Hashes {
  start(algorithm: HashAlgorithm): RunningHash;
  /**
   * Adds the bytes to each of the hashes. The bytes must be in memory that threads share. They must
   * not change until the returned promise resolves.
   */
  update(hashes: readonly RunningHash[], bytes: Uint8Array): Promise<void>;
}

/** Observes the bytes that `append` writes. */
export interface BytesWatch {
  /** Called just before bytes are written. If it throws, `append` rejects with its error. */
  beforeWrite(): void;
  /**
   * Called with the bytes in order. The bytes are in memory that threads share, and do not change
   * until the returned promise resolves.
   */
  onBytes(bytes: Uint8Array): Promise<void>;
  /**
   * Called after the last bytes. If it throws, `append` rejects with its error and stores none of
   * the bytes.
   */
  check(): Promise<void>;
}

/** A file on this machine that can be read by its path. */
export interface FetchedFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Releases the file. Its path must not be used afterwards. Never throws. */
  drop(): Promise<void>;
}

/**
 * Stores the bytes of uploads. They are stored where they will be published: on the same file
 * system or in the same object store.
 */
export interface UploadFiles {
  /** Returns true if there is room for this many more bytes of an upload to this system. */
  hasSpaceFor(system: UploadSystem, bytes: number): Promise<boolean>;
  /**
   * Writes bytes of an upload from `offset` on, replacing any bytes stored there. When the returned
   * promise resolves, the bytes are stored durably. After a failure, no bytes are stored from
   * `offset` on. Rejects with the error of `bytes`, or with `insufficient storage` on a full disk.
   * Rejects with `damaged upload` when fewer than `offset` bytes are stored.
   */
  append(
    place: UploadPlace,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
    watch?: BytesWatch,
  ): Promise<void>;
  has(place: UploadPlace): Promise<boolean>;
  /**
   * Opens the bytes of an upload; returns null when they are missing. No chunk may be appended
   * after this call.
   */
  open(place: UploadPlace): Promise<OpenedFile | null>;
  /**
   * Returns the upload as a file on this machine's disk, or null when it is missing. The caller
   * must call `drop` on the file. No chunk may be appended after this call. Throws `damaged upload`
   * when transferred bytes do not match `version`. Throws `insufficient storage`. Throws the
   * signal's reason when aborted.
   */
  fetch(
    place: UploadPlace,
    version: Pick<FileVersion, 'size' | 'sha256'>,
    signal: AbortSignal,
  ): Promise<FetchedFile | null>;
  /**
   * Stages the bytes of an upload for publishing in an area. No chunk may be appended after this
   * call. `discard` of the staged file does not delete the bytes. Throws `damaged upload` when the
   * bytes are missing or have another size. `publish` of the staged file also throws
   * `damaged upload`, when the bytes were removed meanwhile.
   */
  stage(place: UploadPlace, version: Pick<FileVersion, 'size' | 'sha256'>): Promise<StagedFile>;
  /** Removes the bytes of an upload and its folder, if they exist. */
  remove(place: Pick<UploadPlace, 'folder'>): Promise<void>;
  /** Returns the names of the folders that exist. */
  listFolders(): Promise<string[]>;
}

/** The methods of the store that uploads use. */
export interface UploadedArchives {
  has(area: 'games' | 'videos', name: string): Promise<boolean>;
  /**
   * Returns true if the area has an archive with this name and content. Reads the whole archive to
   * compare. Throws the signal's reason when aborted.
   */
  hasVersion(area: 'games' | 'videos', version: FileVersion, signal: AbortSignal): Promise<boolean>;
  /**
   * Publishes staged bytes under this name. Throws `archive exists` if there is an archive of this
   * name and `replaces` is not set.
   */
  save(
    area: 'games' | 'videos',
    name: string,
    staged: StagedFile,
    actor: Actor,
    options: { readonly replaces: boolean },
  ): Promise<unknown>;
}
