/** Size of a large buffer, in bytes. Larger buffers are hardly any faster. */
export const largeBytes = 512 * 1024;
/**
 * Maximum number of pairs in use, one per client. Fast clients that stall therefore occupy at most
 * 32 MiB.
 */
const mostPairs = 32;
/** Maximum number of free pairs that are retained for reuse. */
const mostFree = 2;

type Pair = readonly [Buffer, Buffer];

/**
 * A pool of buffer pairs for fast clients. While one buffer of a pair is sent, the other is filled.
 */
export class LargeBuffers {
  readonly #free: Pair[] = [];
  #inUse = 0;

  /** Number of pairs in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Returns a pair, or null if `mostPairs` pairs are in use. */
  takeTwo(): Pair | null {
    if (this.#inUse >= mostPairs) return null;
    this.#inUse += 1;
    return this.#free.pop() ?? [one(), one()];
  }

  /** Returns a pair to the pool. No read or write may still be using the pair. */
  giveBack(pair: Pair): void {
    this.drop();
    if (this.#free.length < mostFree) this.#free.push(pair);
  }

  /** Gives up a pair that the operating system may still read or write. The pair is not reused. */
  drop(): void {
    this.#inUse -= 1;
  }
}

/**
 * Creates a buffer with its own memory. The memory is not cleared, because only bytes that were
 * read into the buffer are sent.
 */
const one = () => Buffer.allocUnsafeSlow(largeBytes);
