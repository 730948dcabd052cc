import { setTimeout } from 'node:timers/promises';
import { asObjectError, isLate, mayPass } from './s3-error.ts';

/**
 * What is quick ends within this time, so that who waits is told `busy` within 5 s; for a store that lets us wait nothing is
 * tried again after it.
 */
const quickMs = 4_000;
/** Before each further try. */
const pausesMs = [100, 500, 1_500];

/**
 * The answer to a request, which is made again while what goes wrong may pass. The signal ends a quick one; it is for the
 * beginning of an answer. Throws what `asObjectError` makes of the last failure.
 */
export async function attempt<T>(
  where: string,
  kind: 'quick' | 'long',
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const began = performance.now();
  const timer = kind === 'quick' ? globalThis.setTimeout(() => over.abort(), quickMs) : undefined;
  try {
    for (const pauseMs of [...pausesMs, null]) {
      try {
        return await ask(over.signal);
      } catch (error) {
        const isTooLate = isLate(error) && performance.now() - began >= quickMs;
        const isLast = pauseMs === null || over.signal.aborted || isTooLate || !mayPass(error);
        if (isLast) throw asObjectError(error, where);
        await pauseUntil(pauseMs, over.signal, () => asObjectError(error, where));
      }
    }
    throw new Error('no try was made');
  } finally {
    clearTimeout(timer);
  }
}

/** Throws when the signal comes first. */
async function pauseUntil(ms: number, signal: AbortSignal, failure: () => unknown): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch {
    throw failure();
  }
}
