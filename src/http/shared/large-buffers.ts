/** Size of a large buffer; bigger ones are hardly any faster. */
export const largeBytes = 512 * 1024;
/**
 * Maximum number of pairs in use, one per client. It limits the memory held by fast clients that
 * stall to 32 MiB.
 */
const mostPairs = 32;
/** Maximum number of free pairs that are kept for reuse. */
const mostFree = 2;

type Pair = readonly [Buffer, Buffer];

/** Pairs of buffers for fast clients: one is filled while the other is sent. */
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

  /** Returns a pair to the pool. No read or write may still be using it. */
  giveBack(pair: Pair): void {
    this.drop();
    if (this.#free.length < mostFree) this.#free.push(pair);
  }

  /** Gives up a pair that the system may still read or write; it is not reused. */
  drop(): void {
    this.#inUse -= 1;
  }
}

/** Has its own memory and is not cleared, because only bytes that were read into it are sent. */
const one = () => Buffer.allocUnsafeSlow(largeBytes);
