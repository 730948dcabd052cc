const portion = 2000;

/** Does something with each of many items, and lets others be served after each 2,000. */
export async function forEachInPortions<T>(
  items: readonly T[],
  work: (item: T) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % portion === portion - 1) await new Promise((resolve) => setImmediate(resolve));
    work(item);
  }
}
