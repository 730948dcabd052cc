import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { badRequest, bodyTooLarge, checksumMismatch } from '../shared/errors.ts';
import type { Held } from '../shared/leases.ts';
import type { Chunk } from './upload.ts';

/** The largest chunk, in bytes. */
export const mostChunkBytes = 64 * 1_048_576;

export const checksumAlgorithms = ['sha1', 'sha256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** What a client says of the bytes that it sends. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
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
 * The bytes of a chunk on their way to the disk, and what is told of them afterwards. They throw `body too large` beyond
 * `most` bytes, and at their end `checksum mismatch`, or `bad request` when a chunk with a checksum did not come whole,
 * and busy() when another process may be writing there.
 */
export class ChunkBytes {
  readonly #incoming: IncomingChunk;
  readonly #most: number;
  readonly #sha256 = createHash('sha256');
  readonly #whole: Hash | null;
  readonly #sent: Hash | null;
  readonly #held: Held;
  #size = 0;

  /** `whole` is the hash of the bytes before; it goes on with these. */
  constructor(incoming: IncomingChunk, most: number, whole: Hash | null, held: Held) {
    this.#held = held;
    this.#incoming = incoming;
    this.#most = most;
    this.#whole = whole;
    this.#sent = incoming.checksum?.algorithm === 'sha1' ? createHash('sha1') : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#incoming.bytes) {
      this.#size += piece.byteLength;
      if (this.#size > this.#most) throw bodyTooLarge();
      this.#sha256.update(piece);
      this.#sent?.update(piece);
      this.#whole?.update(piece);
      this.#held.check();
      yield piece;
    }
    const { checksum } = this.#incoming;
    if (checksum === null) return;
    if (!this.#incoming.isWhole()) throw badRequest();
    if (!isDigest(this.#sent ?? this.#sha256, checksum)) throw checksumMismatch();
  }

  /** What came; once all of it was read. */
  chunk(): Chunk {
    return { size: this.#size, sha256: this.#sha256.copy().digest('hex') };
  }
}

function isDigest(hash: Hash, { digest }: Checksum): boolean {
  const own = hash.copy().digest();
  return own.length === digest.length && timingSafeEqual(own, digest);
}
