/** Of a large buffer: with larger ones a reader is hardly faster. */
export const largeBytes = 512 * 1024;
/** Two of them are for one reader: what fast readers that stop amid it can hold together is 32 MiB. */
const mostPairs = 32;
/** Kept for the next that wants two. */
const mostFree = 2;

type Pair = readonly [Buffer, Buffer];

/** Buffers for those who take much at a time, by twos: one is filled while the other is sent. */
export class LargeBuffers {
  readonly #free: Pair[] = [];
  #inUse = 0;

  /** How many pairs are in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Null while too many are in use. */
  takeTwo(): Pair | null {
    if (this.#inUse >= mostPairs) return null;
    this.#inUse += 1;
    return this.#free.pop() ?? [one(), one()];
  }

  /** Of what was taken, and nothing reads or writes any more. */
  giveBack(pair: Pair): void {
    this.drop();
    if (this.#free.length < mostFree) this.#free.push(pair);
  }

  /** Of what was taken, and the system may still read or write: it is not used again. */
  drop(): void {
    this.#inUse -= 1;
  }
}

/** Of its own memory, and not cleared: what was not read into it is not sent. */
const one = () => Buffer.allocUnsafeSlow(largeBytes);
