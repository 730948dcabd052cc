/**
 * The results of `work` for each item, in their order, at most so many at a time. When one throws no further one is
 * begun; those under way end first, then it is thrown.
 */
export async function mapAtMost<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const waiting = items.entries();
  let hasFailed = false;
  const lanes = Array.from({ length: Math.min(most, items.length) }, async () => {
    // The lanes share one iterator: each item is taken once.
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
