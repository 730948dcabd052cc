import { bodyTooLarge, CatalogError, wrongOffset } from '../shared/errors.ts';
import type { HeldLease } from '../shared/processes/leases.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { ChunkBytes, type IncomingChunk, maxChunkBytes } from './chunk-bytes.ts';
import type { Hashes, RunningHash, UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

/** The hash of the first `offset` bytes of an upload. */
interface HashUntil {
  readonly offset: number;
  readonly hash: RunningHash;
}

/**
 * Receives chunks. Hashes the whole file while its chunks arrive, so that a large file need not be
 * read again after its last byte. The hash is unknown if another process received a chunk, or if a
 * chunk was received before this process started.
 */
export class ChunkReceiver {
  readonly #parts: {
    readonly records: UploadRecords;
    readonly files: UploadFiles;
    readonly hashes: Hashes;
    readonly owner: string;
    /** Returns the timestamp at which an upload expires if it receives no more bytes. */
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
   * Receives a chunk and returns the upload in its new state. After the last chunk, also returns
   * the SHA-256 of the whole file, or null if unknown. The caller must hold the upload's lease
   * `lease`, so that only one chunk of the upload is received at a time. Throws busy() when the
   * lease is lost.
   *
   * If the client disconnects, the received bytes stay stored, unless the chunk has a checksum.
   *
   * The actor's right to send the chunk is checked before the chunk is received, and again when it
   * is recorded. Without the right, nothing of the chunk is stored, and `not authenticated` or
   * `forbidden` is thrown.
   */
  async receive(
    before: Upload,
    incoming: IncomingChunk,
    { lease, actor }: { lease: HeldLease; actor: Actor },
  ): Promise<{ upload: Upload; whole: string | null }> {
    await this.#parts.records.checkRight(actor);
    const { offset, size, state } = before;
    if (state !== 'receiving' || incoming.offset !== offset) throw wrongOffset();
    const maxBytes = Math.min(maxChunkBytes, size - offset);
    if (incoming.length !== null && incoming.length > maxBytes) throw bodyTooLarge();
    const whole = this.#hashBefore(before);
    const bytes = new ChunkBytes(incoming, maxBytes, { hashes: this.#parts.hashes, whole, lease });
    let upload: Upload;
    try {
      await this.#parts.files.append(before, offset, bytes, bytes);
      lease.check();
      upload = await this.#record(before, bytes, actor);
    } catch (error) {
      bytes.drop();
      whole?.drop();
      // The hash itself may have failed, so discard it. The file is then read again after its last
      // chunk.
      if (!(error instanceof CatalogError)) this.forget(before.id);
      throw error;
    }
    this.forget(before.id);
    if (upload.state === 'checking')
      return { upload, whole: (await whole?.digest())?.toString('hex') ?? null };
    if (whole !== null) this.#running.set(before.id, { offset: upload.offset, hash: whole });
    return { upload, whole: null };
  }

  /** Discards the hash of the bytes received so far. */
  forget(id: number): void {
    this.#running.get(id)?.hash.drop();
    this.#running.delete(id);
  }

  /**
   * Returns the hash of the bytes before the next chunk; null when it is unknown. Returns a copy,
   * because the chunk may be discarded.
   */
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
