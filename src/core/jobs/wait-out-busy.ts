import { pause } from '../shared/concurrency/pause.ts';
import { CatalogError } from '../shared/errors.ts';

/** Maximum number of pauses. Together they last about eight minutes. */
const maxPauses = 20;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Runs work, and runs it again after a pause for as long as it throws busy(). Throws busy() after
 * the last pause, and any other error at once. Throws the signal's reason if the signal is aborted
 * during a pause.
 */
export async function waitOutBusy<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || pauses === maxPauses) throw error;
      await pause(Math.min(firstPauseMs * 2 ** pauses, longestPauseMs), signal);
    }
  }
}

export function isBusy(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.kind === 'busy';
}
