import { timingSafeEqual } from 'node:crypto';
import { badRequest, bodyTooLarge, checksumMismatch } from '../shared/errors.ts';
import type { HeldLease } from '../shared/processes/leases.ts';
import type { BytesWatch, HashAlgorithm, Hashes, RunningHash } from './ports.ts';
import type { Chunk } from './upload.ts';

/** Maximum size of a chunk, in bytes. */
export const maxChunkBytes = 64 * 1_048_576;

export const checksumAlgorithms: readonly HashAlgorithm[] = ['sha1', 'sha256'];

/** A checksum that the client calculated for the bytes of a chunk. */
export interface Checksum {
  readonly algorithm: HashAlgorithm;
  readonly digest: Buffer;
}

/** A chunk that a request is sending. */
export interface IncomingChunk {
  /** Offset of the chunk's first byte in the upload. */
  readonly offset: number;
  readonly checksum: Checksum | null;
  /** Number of bytes that the request announces; null if it announces no number. */
  readonly length: number | null;
  /** The bytes of the request. They end early when the client disconnects. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Returns true if all bytes arrived. Must be called only after `bytes` has ended. */
  isWhole(): boolean;
}

/**
 * Passes the bytes of a chunk on to storage, and hashes them.
 * - Reading throws `body too large` if there are more than `maxBytes` bytes.
 * - Reading throws `bad request` at the end if the chunk has a checksum and is incomplete.
 * - `check` throws `checksum mismatch`.
 * - `beforeWrite` throws busy() once another process may be writing to the same upload.
 */
export class ChunkBytes implements BytesWatch {
  readonly #incoming: IncomingChunk;
  readonly #maxBytes: number;
  readonly #lease: HeldLease;
  readonly #hashes: Hashes;
  readonly #whole: RunningHash | null;
  readonly #sha256: RunningHash;
  readonly #sent: RunningHash | null;
  #digest: Promise<Buffer> | null = null;
  #size = 0;

  /**
   * `whole` is the hash of all bytes before this chunk; the bytes of this chunk are added to that
   * hash.
   */
  constructor(
    incoming: IncomingChunk,
    maxBytes: number,
    { hashes, whole, lease }: { hashes: Hashes; whole: RunningHash | null; lease: HeldLease },
  ) {
    this.#lease = lease;
    this.#incoming = incoming;
    this.#maxBytes = maxBytes;
    this.#hashes = hashes;
    this.#whole = whole;
    this.#sha256 = hashes.start('sha256');
    this.#sent = incoming.checksum?.algorithm === 'sha1' ? hashes.start('sha1') : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#incoming.bytes) {
      this.#size += piece.byteLength;
      if (this.#size > this.#maxBytes) throw bodyTooLarge();
      yield piece;
    }
    if (this.#incoming.checksum !== null && !this.#incoming.isWhole()) throw badRequest();
  }

  beforeWrite(): void {
    this.#lease.check();
  }

  async onBytes(bytes: Uint8Array): Promise<void> {
    const all = [this.#sha256, this.#sent, this.#whole];
    await this.#hashes.update(
      all.filter((hash) => hash !== null),
      bytes,
    );
  }

  async check(): Promise<void> {
    this.#digest = this.#sha256.digest();
    const { checksum } = this.#incoming;
    const [sha256, sha1] = await Promise.all([this.#digest, this.#sent?.digest()]);
    if (checksum !== null && !isSame(sha1 ?? sha256, checksum.digest)) throw checksumMismatch();
  }

  /** Returns the received chunk. Must be called only after `check`. */
  async chunk(): Promise<Chunk> {
    if (this.#digest === null) throw new Error('the chunk was not checked');
    return { size: this.#size, sha256: (await this.#digest).toString('hex') };
  }

  /** Frees the hashes of the chunk, unless `check` has already finished them. */
  drop(): void {
    if (this.#digest !== null) return;
    this.#sha256.drop();
    this.#sent?.drop();
  }
}

function isSame(own: Buffer, claimed: Buffer): boolean {
  return own.length === claimed.length && timingSafeEqual(own, claimed);
}
