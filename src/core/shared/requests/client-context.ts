import { AsyncLocalStorage } from 'node:async_hooks';

/** The client for which work is being done. */
export interface ClientContext {
  /**
   * The network of the client; see `networkOf`. Queues treat all clients of one network as one
   * owner.
   */
  readonly network: string;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

const clientContexts = new AsyncLocalStorage<ClientContext | undefined>();

/** Runs work for a client. Everything that the work starts is also done for the same client. */
export function withClient<T>(client: ClientContext, work: () => T): T {
  return clientContexts.run(client, work);
}

/**
 * Runs work that is not done for any particular client. Use this function when other clients may
 * also wait for the result. The work then continues when the client that started it disconnects.
 */
export function withoutClient<T>(work: () => T): T {
  return clientContexts.run(undefined, work);
}

/**
 * Runs work for the network of the current client, because several clients of one network may wait
 * for the result. The work continues when the client that started it disconnects.
 */
export function withClientNetwork<T>(work: () => T): T {
  const client = currentClient();
  if (client === undefined) return work();
  return withClient({ network: client.network, signal: new AbortController().signal }, work);
}

/**
 * Returns the client for which the current work is done, or undefined if no client requested the
 * work.
 */
export function currentClient(): ClientContext | undefined {
  return clientContexts.getStore();
}
