import { pause } from '../../../core/shared/concurrency/pause.ts';
import { CatalogError } from '../../../core/shared/errors.ts';
import { currentClient } from '../../../core/shared/requests/client-context.ts';

/** Longest time to wait while the database is busy, and the time between two attempts, in ms. */
const [busyMs, retryMs] = [10_000, 200];

/**
 * Returns a function that repeats the check of a right during a long response. A positive result is
 * valid for `validMs` milliseconds. While the database is busy, the check is retried, so that a
 * short outage does not cut off the response. Throws busy() after 10 s, and all other errors at
 * once.
 */
export function repeatedCheck(
  check: () => Promise<boolean>,
  { checkedAt, validMs }: { checkedAt: number; validMs: number },
): () => Promise<boolean> {
  let last = checkedAt;
  return async () => {
    const begun = performance.now();
    if (begun - last < validMs) return true;
    for (;;) {
      const at = performance.now();
      try {
        const isValid = await check();
        if (isValid) last = at;
        return isValid;
      } catch (error) {
        const isBusy = error instanceof CatalogError && error.kind === 'busy';
        if (!isBusy || performance.now() - begun >= busyMs) throw error;
        await pause(retryMs, currentClient()?.signal ?? new AbortController().signal);
      }
    }
  };
}
