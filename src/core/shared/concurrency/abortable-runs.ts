import { currentClient, withClient } from '../requests/client-context.ts';

/**
 * Shares work among the clients that need the same result at once. The work is aborted when all
 * clients that wait for it have left.
 */
export class AbortableRuns<T> {
  readonly #runs = new Map<string, AbortableRun<T>>();

  /** Returns the result of the work with this key, and starts the work if it is not running. */
  get(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let run = this.#runs.get(key);
    if (run === undefined || run.isAborted) {
      const started = new AbortableRun(work);
      run = started;
      this.#runs.set(key, started);
      const end = () => {
        if (this.#runs.get(key) === started) this.#runs.delete(key);
      };
      started.result.then(end, end);
    }
    return run.wait(currentClient()?.signal);
  }
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
