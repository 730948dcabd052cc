import { Limiter } from './limiter.ts';

/**
 * Calls `work` for each item in order, with at most `maxConcurrent` calls in progress. After an
 * error, no further call is started. The first error is thrown after all calls in progress have
 * ended.
 */
export async function forEachAtMost<T>(
  maxConcurrent: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const places = new Limiter(maxConcurrent);
  const failures: unknown[] = [];
  for (const item of items) {
    const leave = await places.acquire();
    if (failures.length > 0) {
      leave();
      break;
    }
    work(item)
      .catch((error: unknown) => failures.push(error))
      .finally(leave);
  }
  for (let place = 0; place < maxConcurrent; place += 1) await places.acquire();
  if (failures.length > 0) throw failures[0];
}
