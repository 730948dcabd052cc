import { randomUUID } from 'node:crypto';
import type { Clock } from '../shared/clock.ts';
import { OneAtATime } from '../shared/concurrency/one-at-a-time.ts';
import {
  archiveExists,
  archiveTooLarge,
  badRequest,
  insufficientStorage,
  notFound,
} from '../shared/errors.ts';
import type { HeldLease, Leases } from '../shared/processes/leases.ts';
import type { OwnerStateOf } from '../shared/processes/owner-state.ts';
import type { Actor, UserActor } from '../shared/requests/actor.ts';
import type { IncomingChunk } from './chunk-bytes.ts';
import { ChunkReceiver } from './chunk-receiver.ts';
import type {
  FetchedFile,
  Hashes,
  UploadedArchives,
  UploadFiles,
  UploadFilter,
  UploadRecords,
} from './ports.ts';
import type { Chunk, Upload, UploadSystem, UploadViewer } from './upload.ts';
import { UploadChecker } from './upload-checker.ts';
import { UploadSweeper } from './upload-sweeper.ts';

/** Maximum number of one user's uploads that are being received or checked at the same time. */
const maxOpenUploads = 100;
/**
 * Maximum time that a request waits for another request or check of the same upload to end, in
 * milliseconds.
 */
const lockTimeoutMs = 4_500;
const dayMs = 24 * 60 * 60 * 1000;
/**
 * Retention time of ended uploads, in days. The file of a DAT is retained for this time after its
 * last use. For all other uploads, only the outcome is retained.
 */
const endedUploadDays = 7;

/** The dependencies of `Uploads`. */
export interface UploadParts {
  readonly records: UploadRecords;
  readonly files: UploadFiles;
  readonly hashes: Hashes;
  readonly archives: UploadedArchives;
  readonly leases: Leases;
  readonly clock: Clock;
  /** Identifies this process. */
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  /** Maximum size of an archive in bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  /** Number of days after which an unfinished upload expires if it receives no bytes. */
  readonly days: number;
  /** Called with each error of background work. */
  readonly onFailure: (error: unknown) => void;
}

/** Describes a file that a client is going to upload. */
export interface DeclaredUpload {
  readonly system: UploadSystem;
  /** The cleaned file name, which becomes the archive's name in the store. */
  readonly filename: string;
  /** Size in bytes. */
  readonly size: number;
  readonly replaces: boolean;
  /** The metadata text as the client sent it. */
  readonly metadata: string;
}

/**
 * An uploaded DAT, or zip of DATs, on this machine's disk. The caller must call `drop` after use.
 */
export interface FetchedDat extends FetchedFile {
  readonly filename: string;
}

/**
 * Receives files in chunks, over any number of connections. Received bytes survive a crash
 * (decision 0010).
 */
export class Uploads {
  readonly #parts: UploadParts;
  /** Ensures that only one operation on each upload runs at a time in this process. */
  readonly #turns = new OneAtATime();
  readonly #receiver: ChunkReceiver;
  readonly #checker: UploadChecker;
  readonly #sweeper: UploadSweeper;

  constructor(parts: UploadParts) {
    this.#parts = parts;
    const { records, files, hashes, clock, owner } = parts;
    const endedExpiry = () => this.#inDays(endedUploadDays);
    this.#checker = new UploadChecker({ ...parts, turns: this.#turns, endedExpiry });
    this.#receiver = new ChunkReceiver({
      records,
      files,
      hashes,
      owner,
      expiry: () => this.#inDays(parts.days),
    });
    const drop = (upload: Upload) => this.#drop(upload, { kind: 'system' });
    this.#sweeper = new UploadSweeper({ records, files, clock, drop, onFailure: parts.onFailure });
  }

  /** Maximum size of an upload in bytes; undefined for no limit. */
  get maxBytes(): number | undefined {
    return this.#parts.maxArchiveBytes;
  }

  /**
   * Starts the background work, which runs now and at intervals: it continues upload checks whose
   * process has died, and removes expired uploads. Must be called only in the process that serves
   * requests.
   */
  start(): void {
    this.#checker.start();
    this.#sweeper.start();
  }

  /**
   * Starts an upload. Throws `archive too large`, `archive exists` or `too many uploads`. Throws
   * `insufficient storage` when the file does not fit on the disk.
   */
  async begin(declared: DeclaredUpload, actor: UserActor): Promise<Upload> {
    const { system, filename, size, replaces } = declared;
    const { records, files, archives, owner, maxArchiveBytes } = this.#parts;
    if (maxArchiveBytes !== undefined && size > maxArchiveBytes) throw archiveTooLarge();
    const isArchive = system !== 'dats';
    if (isArchive && !replaces && (await archives.has(system, filename))) throw archiveExists();
    if (!(await files.hasSpaceFor(system, size))) throw insufficientStorage();
    const folder = randomUUID();
    const next =
      size > 0
        ? { state: 'receiving' as const, expiresAt: this.#inDays(this.#parts.days) }
        : { state: 'checking' as const, expiresAt: null };
    const upload = { ...declared, folder, actor, ...next };
    const begun = await records.create(upload, size > 0 ? null : owner, maxOpenUploads);
    if (size > 0) return begun;
    try {
      await files.append(begun, 0, none());
    } finally {
      this.#checker.check(begun.id, null); // without its file, the upload ends as damaged
    }
    return begun;
  }

  /**
   * Returns an upload. Throws `not found` if the upload does not exist, has expired, or is not
   * visible to the viewer.
   */
  async get(id: number, viewer: UploadViewer): Promise<Upload> {
    const upload = await this.#find(id, viewer);
    if (upload === null) throw notFound();
    return upload;
  }

  /** Lists the uploads that the viewer may see, newest first. */
  list(
    { userId, seesAll }: UploadViewer,
    { state, page }: Pick<UploadFilter, 'state' | 'page'> = {},
  ): Promise<Upload[]> {
    const now = this.#parts.clock.timestamp();
    return this.#parts.records.list({ userId: seesAll ? null : userId, state, page, now });
  }

  /** Returns the chunks of an upload, in order. */
  listChunks({ id }: Upload): Promise<Chunk[]> {
    return this.#parts.records.listChunks(id);
  }

  /**
   * Receives a chunk. Returns the upload after its new state is stored durably. Throws `not found`,
   * `wrong offset`, `body too large` or `insufficient storage`. Throws `checksum mismatch`; nothing
   * of the chunk is stored then. Throws `bad request` if the body was incomplete. Throws `busy`
   * while another chunk of the upload is being received. Throws the other errors of
   * `ChunkReceiver.receive`.
   */
  async receive(
    id: number,
    viewer: UploadViewer,
    incoming: IncomingChunk,
    actor: Actor,
  ): Promise<Upload> {
    await this.get(id, viewer);
    const inTurn = async (lease: HeldLease) => {
      const before = await this.get(id, viewer);
      const { upload, whole } = await this.#receiver.receive(before, incoming, { lease, actor });
      if (upload.state === 'checking') this.#checker.check(id, whole);
      if (!incoming.isWhole()) throw badRequest();
      return upload;
    };
    return this.#exclusively(id, inTurn);
  }

  /**
   * Ends an upload and deletes its bytes. If the upload is already done, its archive stays in the
   * store. Throws `not found`.
   */
  async remove(id: number, viewer: UploadViewer, actor: Actor): Promise<void> {
    await this.get(id, viewer);
    this.#checker.abortCheck(id);
    const inTurn = async () => this.#drop(await this.get(id, viewer), actor);
    try {
      await this.#exclusively(id, inTurn);
    } catch (error) {
      this.#checker.check(id, null); // resumes the check that was aborted above
      throw error;
    }
  }

  /**
   * Returns true if `id` is the id of a finished upload of a DAT that the viewer may see, and the
   * file exists.
   */
  async hasDat(id: number, viewer: UploadViewer): Promise<boolean> {
    const upload = await this.#findDat(id, viewer);
    return upload !== null && this.#parts.files.has(upload);
  }

  /**
   * Returns the file of a finished upload of a DAT that the viewer may see, and postpones its
   * expiry to 7 days from now. Returns null if there is no such upload. Throws the errors of
   * `UploadFiles.fetch`.
   */
  async fetchDat(
    id: number,
    viewer: UploadViewer,
    signal: AbortSignal,
  ): Promise<FetchedDat | null> {
    const upload = await this.#findDat(id, viewer);
    if (upload === null || upload.sha256 === null) return null;
    const { filename, size, sha256 } = upload;
    // Extend the expiry first: an upload that has expired could be removed during the fetch.
    await this.#parts.records.setExpiry(id, this.#inDays(endedUploadDays));
    const file = await this.#parts.files.fetch(upload, { size, sha256 }, signal);
    return file && { ...file, filename };
  }

  /** Stops background work. Aborts checks in progress; they are resumed after the next start. */
  async close(): Promise<void> {
    await this.#sweeper.close();
    await this.#checker.close();
  }

  /** Returns an upload, or null if it does not exist, has expired, or is hidden from the viewer. */
  async #find(id: number, { userId, seesAll }: UploadViewer): Promise<Upload | null> {
    const upload = await this.#parts.records.find(id);
    if (upload === null || !(seesAll || upload.actor.userId === userId)) return null;
    const { expiresAt } = upload;
    return expiresAt !== null && expiresAt <= this.#parts.clock.timestamp() ? null : upload;
  }

  async #findDat(id: number, viewer: UploadViewer): Promise<Upload | null> {
    const upload = await this.#find(id, viewer);
    return upload?.system === 'dats' && upload.state === 'done' ? upload : null;
  }

  /**
   * Runs an operation on an upload while no other operation on the upload runs. Waits first for
   * operations of this process, then for other processes, which may be receiving a chunk.
   */
  #exclusively<T>(id: number, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    const { leases } = this.#parts;
    const runWithLease = () => leases.run(`upload ${id}`, { waitMs: lockTimeoutMs }, work);
    return this.#turns.run(String(id), runWithLease, lockTimeoutMs);
  }

  /**
   * Removes an upload: first its record, then its bytes. If removing the bytes fails, the next
   * sweep removes their folder, because it belongs to no upload.
   */
  async #drop(upload: Upload, actor: Actor): Promise<void> {
    this.#receiver.forget(upload.id);
    await this.#parts.records.remove(upload.id, actor);
    await this.#parts.files.remove(upload).catch(this.#parts.onFailure);
  }

  #inDays(days: number): string {
    return new Date(this.#parts.clock.now() + days * dayMs).toISOString();
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}
