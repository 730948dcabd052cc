import { CatalogError } from '../core/shared/errors.ts';
import { StopSignal } from './stop-signal.ts';
import { exitCodeOf, Stopped } from './stopped.ts';

/**
 * Runs work that SIGINT or SIGTERM can stop. The first signal aborts the work's signal and makes
 * this function throw `Stopped` with the message `whenStopped`. If it is unknown whether the work
 * was completed, the work's own error is thrown instead. A second signal ends the process at once.
 */
export async function whileSignals<T>(
  whenStopped: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = new StopSignal((signal) => process.exit(exitCodeOf(signal)));
  stop.onFirst((signal) => abort.abort(new Stopped(signal, whenStopped)));
  try {
    return await work(abort.signal);
  } catch (error) {
    const isInDoubt = error instanceof CatalogError && error.mayBeDone;
    throw abort.signal.aborted && !isInDoubt ? abort.signal.reason : error;
  } finally {
    stop.release();
  }
}
