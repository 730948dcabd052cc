import { setTimeout } from 'node:timers/promises';
import { asObjectError, isTimeout, isTransient } from './s3-error.ts';

/**
 * Time limit of quick requests, in milliseconds, so that a client gets `busy` within 5 s. A request
 * of any kind is not retried if it times out after this limit.
 */
const quickMs = 4_000;
/** Pause before each retry, in milliseconds. */
const pausesMs = [100, 500, 1_500];

/**
 * Sends a request, and retries up to three times if the failure may be temporary. A quick request
 * is aborted at the time limit, unless its response has begun. Throws the last failure, converted
 * by `asObjectError`.
 */
export async function sendWithRetries<T>(
  where: string,
  kind: 'quick' | 'long',
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const began = performance.now();
  const timer = kind === 'quick' ? globalThis.setTimeout(() => over.abort(), quickMs) : undefined;
  try {
    for (const pauseMs of [...pausesMs, null]) {
      try {
        return await send(over.signal);
      } catch (error) {
        const isTooLate = isTimeout(error) && performance.now() - began >= quickMs;
        const isLast = pauseMs === null || over.signal.aborted || isTooLate || !isTransient(error);
        if (isLast) throw asObjectError(error, where);
        await pauseUntil(pauseMs, over.signal, () => asObjectError(error, where));
      }
    }
    throw new Error('no attempt was made');
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for this many milliseconds. Throws `failure()` if the signal is aborted first. */
async function pauseUntil(ms: number, signal: AbortSignal, failure: () => unknown): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    throw failure();
  }
}
