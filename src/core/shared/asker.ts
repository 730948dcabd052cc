import { AsyncLocalStorage } from 'node:async_hooks';

/** The client on whose behalf work is done. */
export interface Asker {
  /** The network with which the client shares its turns; see `networkOf`. */
  readonly network: string;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Runs work, and everything that it starts, on behalf of this client. */
export function askedBy<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/**
 * Runs work that belongs to no client, although a request started it: others wait for it too, and
 * it goes on without that client.
 */
export function askedByNobody<T>(work: () => T): T {
  return askers.run(undefined, work);
}

/**
 * Runs work whose result other clients of the same network wait for too: it goes on when the client
 * that started it has gone.
 */
export function askedTogether<T>(work: () => T): T {
  const asker = currentAsker();
  if (asker === undefined) return work();
  return askedBy({ network: asker.network, signal: new AbortController().signal }, work);
}

/**
 * Returns the client on whose behalf the current work is done; undefined if it is the program's own
 * work.
 */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}
