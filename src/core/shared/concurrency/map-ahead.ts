/**
 * Calls `work` for each item, with at most `maxConcurrent` calls in progress, and yields each item
 * with its result, in the order of the items. Throws the first error, in that order. Calls in
 * progress are awaited before the iteration ends, also after an error or a `break`.
 */
export async function* mapAhead<T, R>(
  maxConcurrent: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<readonly [T, R]> {
  const begun: { item: T; result: Promise<R> }[] = [];
  try {
    for (const item of items) {
      const result = work(item);
      result.catch(() => {}); // thrown below, when the result is awaited
      begun.push({ item, result });
      if (begun.length >= maxConcurrent) yield await takeFirst(begun);
    }
    while (begun.length > 0) yield await takeFirst(begun);
  } finally {
    await Promise.allSettled(begun.map(({ result }) => result));
  }
}

async function takeFirst<T, R>(begun: { item: T; result: Promise<R> }[]): Promise<readonly [T, R]> {
  const [first] = begun.splice(0, 1);
  if (first === undefined) throw new Error('no call in progress');
  return [first.item, await first.result];
}
