import { randomUUID } from 'node:crypto';
import type { Actor, UserActor } from '../shared/actor.ts';
import type { Clock } from '../shared/clock.ts';
import {
  archiveExists,
  archiveTooLarge,
  badRequest,
  insufficientStorage,
  notFound,
} from '../shared/errors.ts';
import type { Held, Leases } from '../shared/leases.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';
import type { OwnerStateOf } from '../shared/owner-state.ts';
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

/** A user's uploads that are received or checked at a time. */
const mostOpen = 100;
/** How long a request waits until another one of the same upload has ended. */
const turnMs = 4_500;
const dayMs = 24 * 60 * 60 * 1000;
/** How long what has ended stays: a DAT since its last use, of everything else what became of it. */
const endedDays = 7;

/** What uploads work with. */
export interface UploadParts {
  readonly records: UploadRecords;
  readonly files: UploadFiles;
  readonly hashes: Hashes;
  readonly archives: UploadedArchives;
  readonly leases: Leases;
  readonly clock: Clock;
  /** This process. */
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  /** Bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  /** Days without a byte after which an unfinished upload goes. */
  readonly days: number;
  /** Told what nobody waits for. */
  readonly onFailure: (error: unknown) => void;
}

/** What a client says of a file that it is going to send. */
export interface DeclaredUpload {
  readonly system: UploadSystem;
  /** Cleaned, as the store keeps it. */
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly replaces: boolean;
  /** As it was sent. */
  readonly metadata: string;
}

/** A DAT, or a zip of such, that was uploaded to be imported; to be dropped. */
export interface FetchedDat extends FetchedFile {
  readonly filename: string;
}

/** Files that come in chunks, over as many connections as it takes; what is there outlives a crash (decision 0010). */
export class Uploads {
  readonly #parts: UploadParts;
  /** Of one upload one thing happens at a time. */
  readonly #turns = new OneAtATime();
  readonly #receiver: ChunkReceiver;
  readonly #checker: UploadChecker;
  readonly #sweeper: UploadSweeper;

  constructor(parts: UploadParts) {
    this.#parts = parts;
    const { records, files, hashes, clock, owner } = parts;
    const endedExpiry = () => this.#inDays(endedDays);
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

  /** Bytes of the largest upload; undefined for no limit. */
  get maxBytes(): number | undefined {
    return this.#parts.maxArchiveBytes;
  }

  /** Takes up what an earlier process left, and lets what expires go, now and every hour; for the one who serves. */
  start(): void {
    this.#checker.start();
    this.#sweeper.start();
  }

  /**
   * Begins an upload. Throws `archive too large`, `archive exists`, `insufficient storage` when it does not fit on the
   * disk, `too many uploads`.
   */
  async begin(declared: DeclaredUpload, actor: UserActor): Promise<Upload> {
    const { system, filename, size, replaces } = declared;
    const { records, files, archives, owner, maxArchiveBytes } = this.#parts;
    if (maxArchiveBytes !== undefined && size > maxArchiveBytes) throw archiveTooLarge();
    const isArchive = system !== 'dats';
    if (isArchive && !replaces && (await archives.has(system, filename))) throw archiveExists();
    if (!(await files.hasRoomFor(system, size))) throw insufficientStorage();
    const folder = randomUUID();
    const next =
      size > 0
        ? { state: 'receiving' as const, expiresAt: this.#inDays(this.#parts.days) }
        : { state: 'checking' as const, expiresAt: null };
    const upload = { ...declared, folder, actor, ...next };
    const begun = await records.create(upload, size > 0 ? null : owner, mostOpen);
    if (size > 0) return begun;
    try {
      await files.append(begun, 0, none());
    } finally {
      this.#checker.check(begun.id, null); // one that has no file is damaged
    }
    return begun;
  }

  /** Throws `not found`, also for an upload that the viewer may not see. */
  async get(id: number, { userId, seesAll }: UploadViewer): Promise<Upload> {
    const upload = await this.#parts.records.find(id);
    if (upload === null || !(seesAll || upload.actor.userId === userId)) throw notFound();
    const { expiresAt } = upload;
    if (expiresAt !== null && expiresAt <= this.#parts.clock.timestamp()) throw notFound();
    return upload;
  }

  /** Those that the viewer may see, the newest first. */
  list(
    { userId, seesAll }: UploadViewer,
    { state, page }: Pick<UploadFilter, 'state' | 'page'> = {},
  ): Promise<Upload[]> {
    const now = this.#parts.clock.timestamp();
    return this.#parts.records.list({ userId: seesAll ? null : userId, state, page, now });
  }

  /** The parts of an upload, in their order. */
  listChunks({ id }: Upload): Promise<Chunk[]> {
    return this.#parts.records.listChunks(id);
  }

  /**
   * Takes a chunk in; what is told of it is safe on disk. Throws `not found`, `wrong offset`, `body too large`, `checksum
   * mismatch` (nothing of the chunk is kept), `insufficient storage`, `busy` while another chunk of it comes, and what
   * `ChunkReceiver.receive` does.
   */
  async receive(
    id: number,
    viewer: UploadViewer,
    incoming: IncomingChunk,
    actor: Actor,
  ): Promise<Upload> {
    await this.get(id, viewer);
    const inTurn = async (held: Held) => {
      const before = await this.get(id, viewer);
      const { upload, whole } = await this.#receiver.receive(before, incoming, { held, actor });
      if (upload.state === 'checking') this.#checker.check(id, whole);
      if (!incoming.isWhole()) throw badRequest();
      return upload;
    };
    return this.#inTurn(id, inTurn);
  }

  /** Ends an upload and drops its bytes; an archive that it has become stays. Throws `not found`. */
  async remove(id: number, viewer: UploadViewer, actor: Actor): Promise<void> {
    await this.get(id, viewer);
    this.#checker.giveUp(id);
    const inTurn = async () => this.#drop(await this.get(id, viewer), actor);
    try {
      await this.#inTurn(id, inTurn);
    } catch (error) {
      this.#checker.check(id, null); // that was given up; nothing happens when it was not
      throw error;
    }
  }

  /** Whether a finished upload of `dats` that the viewer may see has this id. */
  async hasDat(id: number, viewer: UploadViewer): Promise<boolean> {
    const upload = await this.#findDat(id, viewer);
    return upload !== null && this.#parts.files.has(upload);
  }

  /**
   * The file of such an upload, which stays for another 7 days; null when there is none of this id. Throws what
   * `UploadFiles.fetch` does.
   */
  async fetchDat(
    id: number,
    viewer: UploadViewer,
    signal: AbortSignal,
  ): Promise<FetchedDat | null> {
    const upload = await this.#findDat(id, viewer);
    if (upload === null || upload.sha256 === null) return null;
    const { filename, size, sha256 } = upload;
    // First: whatever has expired may go meanwhile.
    await this.#parts.records.setExpiry(id, this.#inDays(endedDays));
    const file = await this.#parts.files.fetch(upload, { size, sha256 }, signal);
    return file && { ...file, filename };
  }

  /** Ends what happens behind; a check that was broken off goes on at the next start. */
  async close(): Promise<void> {
    await this.#sweeper.close();
    await this.#checker.close();
  }

  async #findDat(id: number, viewer: UploadViewer): Promise<Upload | null> {
    const upload = await this.get(id, viewer).catch(() => null);
    return upload?.system === 'dats' && upload.state === 'done' ? upload : null;
  }

  /** First of this process, then of all: another one may be taking in a chunk. */
  #inTurn<T>(id: number, work: (held: Held) => Promise<T>): Promise<T> {
    const { leases } = this.#parts;
    const hold = () => leases.hold(`upload ${id}`, { waitMs: turnMs }, work);
    return this.#turns.run(String(id), hold, turnMs);
  }

  /** The row first: a folder without one goes with the next start, also one that cannot be removed now. */
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
