import { timingSafeEqual } from 'node:crypto';
import { badRequest, bodyTooLarge, checksumMismatch } from '../shared/errors.ts';
import type { Held } from '../shared/leases.ts';
import type { BytesWatch, HashAlgorithm, Hashes, RunningHash } from './ports.ts';
import type { Chunk } from './upload.ts';

/** The largest chunk, in bytes. */
export const mostChunkBytes = 64 * 1_048_576;

export const checksumAlgorithms: readonly HashAlgorithm[] = ['sha1', 'sha256'];

/** What a client says of the bytes that it sends. */
export interface Checksum {
  readonly algorithm: HashAlgorithm;
  readonly digest: Buffer;
}

/** A chunk as a request brings it. */
export interface IncomingChunk {
  /** Where it begins. */
  readonly offset: number;
  readonly checksum: Checksum | null;
  /** Bytes that were announced; null where none were. */
  readonly length: number | null;
  /** The bytes that come; when the client leaves before all of them came, it ends. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether all of them came; once `bytes` has ended. */
  isWhole(): boolean;
}

/**
 * The bytes of a chunk on their way to the disk, and what is told of them afterwards. Reading them throws `body too large`
 * beyond `most` bytes; the check at their end throws `checksum mismatch`, or `bad request` when a chunk with a checksum did
 * not come whole. Both throw busy() once another process may be writing there.
 */
export class ChunkBytes implements BytesWatch {
  readonly #incoming: IncomingChunk;
  readonly #most: number;
  readonly #held: Held;
  readonly #hashes: Hashes;
  readonly #whole: RunningHash | null;
  readonly #sha256: RunningHash;
  readonly #sent: RunningHash | null;
  #digest: Promise<Buffer> | null = null;
  #size = 0;

  /** `whole` is the hash of the bytes before; it goes on with these. */
  constructor(
    incoming: IncomingChunk,
    most: number,
    { hashes, whole, held }: { hashes: Hashes; whole: RunningHash | null; held: Held },
  ) {
    this.#held = held;
    this.#incoming = incoming;
    this.#most = most;
    this.#hashes = hashes;
    this.#whole = whole;
    this.#sha256 = hashes.start('sha256');
    this.#sent = incoming.checksum?.algorithm === 'sha1' ? hashes.start('sha1') : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#incoming.bytes) {
      this.#size += piece.byteLength;
      if (this.#size > this.#most) throw bodyTooLarge();
      this.#held.check();
      yield piece;
    }
    if (this.#incoming.checksum !== null && !this.#incoming.isWhole()) throw badRequest();
  }

  mayWrite(): void {
    this.#held.check();
  }

  async take(bytes: Uint8Array): Promise<void> {
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

  /** What came; once it was checked. */
  async chunk(): Promise<Chunk> {
    if (this.#digest === null) throw new Error('the chunk was not checked');
    return { size: this.#size, sha256: (await this.#digest).toString('hex') };
  }

  /** Of bytes that were not checked. */
  drop(): void {
    if (this.#digest !== null) return;
    this.#sha256.drop();
    this.#sent?.drop();
  }
}

function isSame(own: Buffer, told: Buffer): boolean {
  return own.length === told.length && timingSafeEqual(own, told);
}
