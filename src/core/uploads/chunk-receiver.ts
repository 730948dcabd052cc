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
 * Takes chunks in. It hashes the whole as it comes, so that a file of 20 GB is not read once more when its last byte is
 * there; only of what came before this process was started the hash is not known.
 */
export class ChunkReceiver {
  readonly #parts: {
    readonly records: UploadRecords;
    readonly files: UploadFiles;
    readonly hashes: Hashes;
    readonly owner: string;
    /** When an upload goes that gets no byte from now on. */
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
   * The upload after the chunk, and the SHA-256 of the whole where the chunk was its last and it is known. Only one chunk
   * of an upload at a time, for which the lease is `held`: throws busy() where it is not any more. Of a chunk without a checksum what came is kept when the client leaves.
   * Throws `not authenticated` or `forbidden`, and keeps nothing of the chunk, when the actor may no longer send it, which is
   * checked before the chunk is taken and again when it is recorded.
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
      // A hash may have failed: the whole is read once more at its end then.
      if (!(error instanceof CatalogError)) this.forget(before.id);
      throw error;
    }
    this.forget(before.id);
    if (upload.state === 'checking')
      return { upload, whole: (await whole?.digest())?.toString('hex') ?? null };
    if (whole !== null) this.#running.set(before.id, { offset: upload.offset, hash: whole });
    return { upload, whole: null };
  }

  /** Drops what is remembered of an upload. */
  forget(id: number): void {
    this.#running.get(id)?.hash.drop();
    this.#running.delete(id);
  }

  /** A copy, because a chunk may be dropped; null when it is not known. */
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
