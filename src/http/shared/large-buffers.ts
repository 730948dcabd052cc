/** Size of a large buffer, in bytes; bigger ones are hardly any faster. */
export const largeBytes = 512 * 1024;
/**
 * Maximum number of pairs in use, one per client. This limits the memory held by fast clients that
 * stall to 32 MiB.
 */
const mostPairs = 32;
/** Maximum number of free pairs that are kept for reuse. */
const mostFree = 2;

type Pair = readonly [Buffer, Buffer];

/** Pairs of buffers for fast clients. While one buffer of a pair is sent, the other is filled. */
export class LargeBuffers {
  readonly #free: Pair[] = [];
  #inUse = 0;

  /** Number of pairs in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Returns a pair, or null if too many are in use. */
  takeTwo(): Pair | null {
    if (this.#inUse >= mostPairs) return null;
    this.#inUse += 1;
    return this.#free.pop() ?? [one(), one()];
  }

  /** Returns a pair to the pool. Call this only when no read or write uses the pair any more. */
  giveBack(pair: Pair): void {
    this.drop();
    if (this.#free.length < mostFree) this.#free.push(pair);
  }

  /** Gives up a pair that the system may still read or write. The pair is not reused. */
  drop(): void {
    this.#inUse -= 1;
  }
}

/**
 * Creates a buffer with its own memory. The buffer is not cleared, because only bytes that were
 * read into it are sent.
 */
const one = () => Buffer.allocUnsafeSlow(largeBytes);
