import { busy, CatalogError } from '../errors.ts';
import { currentClient, withClient } from '../requests/client-context.ts';

/**
 * Shares work among the clients that need the same result at once. The work is aborted when all
 * clients that wait for it have left.
 */
export class AbortableRuns<T> {
  readonly #runs = new Map<string, AbortableRun<T>>();
  /** The runs of `getNew` that have not begun. */
  readonly #next = new Map<string, AbortableRun<T>>();

  /** Returns the result of the work with this key, and starts the work if it is not running. */
  get(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = this.#running(key);
    const run = running ?? this.#enter(this.#runs, key, new AbortableRun(work));
    return run.wait(currentClient()?.signal);
  }

  /**
   * Works like `get`, but never returns the result of work that began before the call. Callers that
   * call while such work runs share the next work, which begins when the running work ends.
   */
  getNew(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = this.#running(key);
    if (running === undefined) return this.get(key, work);
    let next = this.#next.get(key);
    if (next === undefined || next.isAborted) {
      const created = new AbortableRun<T>(async (signal) => {
        await running.result.catch(throwIfBusy(running));
        signal.throwIfAborted();
        this.#next.delete(key);
        this.#enter(this.#runs, key, created);
        return work(signal);
      });
      next = this.#enter(this.#next, key, created);
    }
    return next.wait(currentClient()?.signal);
  }

  #running(key: string): AbortableRun<T> | undefined {
    const run = this.#runs.get(key);
    return run?.isAborted ? undefined : run;
  }

  /** Adds a run to `runs` until it has ended. */
  #enter(runs: Map<string, AbortableRun<T>>, key: string, run: AbortableRun<T>): AbortableRun<T> {
    runs.set(key, run);
    const end = () => {
      if (runs.get(key) === run) runs.delete(key);
    };
    run.result.then(end, end);
    return run;
  }
}

/**
 * Throws `busy` instead of `error` if the client no longer waits and `error` is not a
 * `CatalogError`. Otherwise throws `error`.
 */
export function throwBusyIfLeft(error: unknown): never {
  const hasLeft = currentClient()?.signal.aborted && !(error instanceof CatalogError);
  throw hasLeft ? busy(new Error('the client no longer waits')) : error;
}

/**
 * Returns a function that rethrows `busy` from the running work, because the callers that wait for
 * the next work have waited long enough. Any other error, and `busy` from aborted work, is ignored.
 */
function throwIfBusy(run: { readonly isAborted: boolean }) {
  return (error: unknown) => {
    if (!run.isAborted && error instanceof CatalogError && error.kind === 'busy') throw error;
  };
}

class AbortableRun<T> {
  readonly result: Promise<T>;
  readonly #controller = new AbortController();
  #waiting = 0;
  #isDone = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    const { signal } = this.#controller;
    const network = currentClient()?.network;
    const run = () => work(signal);
    this.result = network === undefined ? run() : withClient({ network, signal }, run);
    const end = () => {
      this.#isDone = true;
    };
    this.result.then(end, end);
  }

  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await unlessAborted(this.result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isDone) this.#controller.abort(signal?.reason);
    }
  }
}

/** Returns the result, or throws the signal's reason if the signal is aborted first. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const end = () => signal.removeEventListener('abort', onAbort);
    result.then(resolve, reject).finally(end);
  });
}
