import { AsyncLocalStorage } from 'node:async_hooks';

/** The client for which work is being done. */
export interface Asker {
  /**
   * The network of the client; see `networkOf`. Queues treat all clients of one network as one
   * owner.
   */
  readonly network: string;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Runs work for a client. Everything that the work starts is also done for the same client. */
export function askedBy<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/**
 * Runs work that is not done for any particular client. Use this function when other clients may
 * also wait for the result. The work then continues when the client that started it disconnects.
 */
export function askedByNobody<T>(work: () => T): T {
  return askers.run(undefined, work);
}

/**
 * Runs work for the network of the current client, because several clients of one network may wait
 * for the result. The work continues when the client that started it disconnects.
 */
export function askedTogether<T>(work: () => T): T {
  const asker = currentAsker();
  if (asker === undefined) return work();
  return askedBy({ network: asker.network, signal: new AbortController().signal }, work);
}

/**
 * Returns the client for which the current work is done, or undefined if no client requested the
 * work.
 */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}
