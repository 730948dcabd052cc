/** Milliseconds that work computes before others get their turn. */
const sliceMs = 10;

/** Ends when the work that asked last has its turn. */
let last: Promise<void> = Promise.resolve();

/**
 * Long computing in slices, on an event loop that serves others as well:
 *
 *     const slices = new Slices();
 *     for (const item of items) {
 *       if (slices.isOver) await slices.next();
 *       ...
 *     }
 *
 * Several such works that run concurrently each get turns of the loop of their own.
 */
export class Slices {
  #until = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves in a later turn of the event loop, when others were served. */
  async next(): Promise<void> {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    await last;
    this.#until = performance.now() + sliceMs;
  }
}

/** Does something with each of many items, however many. `slices` are those of the work that it is a part of, as below. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  slices = new Slices(),
): Promise<void> {
  for (const item of items) {
    if (slices.isOver) await slices.next();
    work(item);
  }
}

/** As `filter` of an array. */
export async function filterInSlices<T>(
  items: readonly T[],
  keeps: (item: T) => boolean,
  slices = new Slices(),
): Promise<T[]> {
  const kept: T[] = [];
  const keep = (item: T) => {
    if (keeps(item)) kept.push(item);
  };
  await forEachInSlices(items, keep, slices);
  return kept;
}
