import { pause } from '../../shared/concurrency/pause.ts';
import { CatalogError } from '../../shared/errors.ts';
import type { ScanStore } from '../ports.ts';

/** Pauses before retries, in milliseconds. Each attempt also waits in the database. */
const defaultPausesMs = [500, 1000, 2000, 4000];

/**
 * Wraps a store so that each write is retried after busy() errors, with one retry after each pause.
 * Throws busy() if the last retry also fails. During a pause, this process can write other data.
 * Throws the signal's reason if the signal is aborted during a pause.
 */
export function retryingStore(
  store: ScanStore,
  signal: AbortSignal,
  pausesMs: readonly number[] = defaultPausesMs,
): ScanStore {
  async function retrying(write: () => Promise<void>): Promise<void> {
    for (const pauseMs of pausesMs) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof CatalogError) || error.kind !== 'busy') throw error;
        await pause(pauseMs, signal);
      }
    }
    return write();
  }
  return {
    save: (root, scans) => retrying(() => store.save(root, scans)),
    saveHashes: (root, file) => retrying(() => store.saveHashes(root, file)),
    saveMatches: (root, matches) => retrying(() => store.saveMatches(root, matches)),
    move: (moves) => retrying(() => store.move(moves)),
    handOver: (from, files) => retrying(() => store.handOver(from, files)),
    removeRoot: (root) => retrying(() => store.removeRoot(root)),
    forget: (ids) => retrying(() => store.forget(ids)),
    markScanned: (root) => retrying(() => store.markScanned(root)),
    markProblem: (root, problem) => retrying(() => store.markProblem(root, problem)),
    markMatched: (root, version) => retrying(() => store.markMatched(root, version)),
    markSetsMatched: (root, version) => retrying(() => store.markSetsMatched(root, version)),
  };
}
