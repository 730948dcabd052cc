import { AsyncLocalStorage } from 'node:async_hooks';

/** The client for which work is being done. */
export interface Asker {
  /**
   * The network of the client; see `networkOf`. Clients of a network share their turns in queues.
   */
  readonly network: string;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Runs work for this client. Everything that the work starts is also done for this client. */
export function askedBy<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/**
 * Runs work that is not done for any particular client. Use it when others will also wait for the
 * result, so that the work continues when the client that started it disconnects.
 */
export function askedByNobody<T>(work: () => T): T {
  return askers.run(undefined, work);
}

/**
 * Runs work whose result several clients of one network may wait for. The work continues when the
 * client that started it disconnects.
 */
export function askedTogether<T>(work: () => T): T {
  const asker = currentAsker();
  if (asker === undefined) return work();
  return askedBy({ network: asker.network, signal: new AbortController().signal }, work);
}

/**
 * Returns the client for which the current work is done. Returns undefined if no client requested
 * the work.
 */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}
