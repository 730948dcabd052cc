import { CatalogError } from '../core/shared/errors.ts';
import { StopSignal } from './stop-signal.ts';
import { exitCodeOf, Stopped } from './stopped.ts';

/**
 * Runs work that SIGINT or SIGTERM can stop. The first of these signals aborts the work's
 * `AbortSignal`; this function then throws `Stopped` with the message `stopMessage`. Throws the
 * work's own error instead if that error leaves open whether the work was completed. A second
 * signal ends the process at once.
 */
export async function withStopSignals<T>(
  stopMessage: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = new StopSignal((signal) => process.exit(exitCodeOf(signal)));
  stop.onFirst((signal) => abort.abort(new Stopped(signal, stopMessage)));
  try {
    return await work(abort.signal);
  } catch (error) {
    const isInDoubt = error instanceof CatalogError && error.outcomeUnknown;
    throw abort.signal.aborted && !isInDoubt ? abort.signal.reason : error;
  } finally {
    stop.release();
  }
}
