import { createHash, type Hash } from 'node:crypto';
import { bodyTooLarge, wrongOffset } from '../shared/errors.ts';
import type { Held } from '../shared/leases.ts';
import { ChunkBytes, type IncomingChunk, mostChunkBytes } from './chunk-bytes.ts';
import type { UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

/** The hash of the first bytes of an upload. */
interface RunningHash {
  readonly offset: number;
  readonly hash: Hash;
}

/**
 * Takes chunks in. It hashes the whole as it comes, so that a file of 20 GB is not read once more when its last byte is
 * there; only of what came before this process was started the hash is not known.
 */
export class ChunkReceiver {
  readonly #parts: {
    readonly records: UploadRecords;
    readonly files: UploadFiles;
    readonly owner: string;
    /** When an upload goes that gets no byte from now on. */
    readonly expiry: () => string;
  };
  readonly #running = new Map<number, RunningHash>();

  constructor(parts: {
    records: UploadRecords;
    files: UploadFiles;
    owner: string;
    expiry: () => string;
  }) {
    this.#parts = parts;
  }

  /**
   * The upload after the chunk, and the SHA-256 of the whole where the chunk was its last and it is known. Only one chunk
   * of an upload at a time, for which the lease is `held`: throws busy() where it is not any more. Of a chunk without a checksum what came is kept when the client leaves.
   */
  async receive(
    before: Upload,
    incoming: IncomingChunk,
    held: Held,
  ): Promise<{ upload: Upload; whole: string | null }> {
    const { offset, size, state } = before;
    if (state !== 'receiving' || incoming.offset !== offset) throw wrongOffset();
    const most = Math.min(mostChunkBytes, size - offset);
    if (incoming.length !== null && incoming.length > most) throw bodyTooLarge();
    const whole = this.#hashBefore(before);
    const bytes = new ChunkBytes(incoming, most, whole, held);
    await this.#parts.files.append(before, offset, bytes);
    held.check();
    const upload = await this.#record(before, bytes);
    if (upload.state === 'checking') this.forget(before.id);
    else if (whole !== null) this.#running.set(before.id, { offset: upload.offset, hash: whole });
    return { upload, whole: upload.state === 'checking' ? (whole?.digest('hex') ?? null) : null };
  }

  /** Drops what is remembered of an upload. */
  forget(id: number): void {
    this.#running.delete(id);
  }

  /** A copy, because a chunk may be dropped; null when it is not known. */
  #hashBefore({ id, offset }: Upload): Hash | null {
    if (offset === 0) return createHash('sha256');
    const running = this.#running.get(id);
    return running?.offset === offset ? running.hash.copy() : null;
  }

  async #record(before: Upload, bytes: ChunkBytes): Promise<Upload> {
    const { records, owner, expiry } = this.#parts;
    const chunk = bytes.chunk();
    if (chunk.size === 0) return before;
    const offset = before.offset + chunk.size;
    const after =
      offset < before.size
        ? { state: 'receiving' as const, owner: null, expiresAt: expiry() }
        : { state: 'checking' as const, owner, expiresAt: null };
    if (!(await records.addChunk(before.id, before.offset, chunk, after))) throw wrongOffset();
    return { ...before, offset, state: after.state, expiresAt: after.expiresAt };
  }
}
