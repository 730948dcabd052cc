import type { Actor } from '../shared/actor.ts';
import { bodyTooLarge, CatalogError, wrongOffset } from '../shared/errors.ts';
import type { Held } from '../shared/leases.ts';
import { ChunkBytes, type IncomingChunk, mostChunkBytes } from './chunk-bytes.ts';
import type { Hashes, RunningHash, UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

/** The hash of the first bytes of an upload. */
interface HashUntil {
  readonly offset: number;
  readonly hash: RunningHash;
}

/**
 * Receives chunks. It hashes the whole file as it arrives, so that a file of 20 GB is not read
 * again after its last byte. The hash is unknown only when a part arrived before this process
 * started.
 */
export class ChunkReceiver {
  readonly #parts: {
    readonly records: UploadRecords;
    readonly files: UploadFiles;
    readonly hashes: Hashes;
    readonly owner: string;
    /** Expiry of an upload that receives no further bytes. */
    readonly expiry: () => string;
  };
  readonly #running = new Map<number, HashUntil>();

  constructor(parts: {
    records: UploadRecords;
    files: UploadFiles;
    hashes: Hashes;
    owner: string;
    expiry: () => string;
  }) {
    this.#parts = parts;
  }

  /**
   * Returns the upload after the chunk. After the last chunk, it also returns the SHA-256 of the
   * whole file, if known. Receives one chunk of an upload at a time, under the lease `held`; throws
   * busy() when the lease is lost. When the client disconnects, received bytes of a chunk without a
   * checksum are kept. Throws `not authenticated` or `forbidden`, and keeps nothing of the chunk,
   * when the actor may no longer send it. That is checked before the chunk is received and again
   * when it is recorded.
   */
  async receive(
    before: Upload,
    incoming: IncomingChunk,
    { held, actor }: { held: Held; actor: Actor },
  ): Promise<{ upload: Upload; whole: string | null }> {
    await this.#parts.records.checkRight(actor);
    const { offset, size, state } = before;
    if (state !== 'receiving' || incoming.offset !== offset) throw wrongOffset();
    const most = Math.min(mostChunkBytes, size - offset);
    if (incoming.length !== null && incoming.length > most) throw bodyTooLarge();
    const whole = this.#hashBefore(before);
    const bytes = new ChunkBytes(incoming, most, { hashes: this.#parts.hashes, whole, held });
    let upload: Upload;
    try {
      await this.#parts.files.append(before, offset, bytes, bytes);
      held.check();
      upload = await this.#record(before, bytes, actor);
    } catch (error) {
      bytes.drop();
      whole?.drop();
      // A hash may have failed; then the whole file is read again at its end.
      if (!(error instanceof CatalogError)) this.forget(before.id);
      throw error;
    }
    this.forget(before.id);
    if (upload.state === 'checking')
      return { upload, whole: (await whole?.digest())?.toString('hex') ?? null };
    if (whole !== null) this.#running.set(before.id, { offset: upload.offset, hash: whole });
    return { upload, whole: null };
  }

  /** Drops the running hash of an upload. */
  forget(id: number): void {
    this.#running.get(id)?.hash.drop();
    this.#running.delete(id);
  }

  /** Returns a copy, because a chunk may be dropped; null when the hash is not known. */
  #hashBefore({ id, offset }: Upload): RunningHash | null {
    if (offset === 0) return this.#parts.hashes.start('sha256');
    const running = this.#running.get(id);
    return running?.offset === offset ? running.hash.copy() : null;
  }

  async #record(before: Upload, bytes: ChunkBytes, actor: Actor): Promise<Upload> {
    const { records, owner, expiry } = this.#parts;
    const chunk = await bytes.chunk();
    if (chunk.size === 0) return before;
    const offset = before.offset + chunk.size;
    const after =
      offset < before.size
        ? { state: 'receiving' as const, owner: null, expiresAt: expiry() }
        : { state: 'checking' as const, owner, expiresAt: null };
    const how = { after, actor };
    if (!(await records.addChunk(before.id, before.offset, chunk, how))) throw wrongOffset();
    return { ...before, offset, state: after.state, expiresAt: after.expiresAt };
  }
}
