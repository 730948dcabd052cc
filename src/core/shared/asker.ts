import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom something is done: the client of a request. */
export interface Asker {
  /** What it shares its turns with; see `networkOf`. */
  readonly network: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Runs work, and everything that it starts, for this client. */
export function askedBy<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/** Runs work that is nobody's, although a request started it: others wait for it too, and it goes on without that client. */
export function askedByNobody<T>(work: () => T): T {
  return askers.run(undefined, work);
}

/** Runs work whose result others of the same network wait for too: it goes on when the one who asked first has gone. */
export function askedTogether<T>(work: () => T): T {
  const asker = currentAsker();
  if (asker === undefined) return work();
  return askedBy({ network: asker.network, signal: new AbortController().signal }, work);
}

/** For whom the present work is done; undefined where it is the program's own. */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}
