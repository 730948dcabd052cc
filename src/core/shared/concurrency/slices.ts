/** Time in milliseconds for which a task may compute before other tasks get a turn. */
const sliceMs = 10;

/** Resolves when all tasks that currently wait for a turn have had their turn. */
let last: Promise<void> = Promise.resolve();

/**
 * Divides a long computation into slices, so that the event loop can serve other work in between:
 *
 *     const slices = new Slices();
 *     for (const item of items) {
 *       if (slices.isOver) await slices.next();
 *       ...
 *     }
 *
 * Concurrent computations take turns: each slice runs in a separate turn of the event loop.
 */
export class Slices {
  #until = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves in a later turn of the event loop, after other work was done. */
  async next(): Promise<void> {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    await last;
    this.#until = performance.now() + sliceMs;
  }
}

/**
 * Calls `work` for each item, in slices. If this call is part of a longer computation, `slices` are
 * the slices of that computation.
 */
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

/**
 * Works like `Array.filter`, but in slices. If this call is part of a longer computation, `slices`
 * are the slices of that computation.
 */
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
