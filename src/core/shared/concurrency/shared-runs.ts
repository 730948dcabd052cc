import { CatalogError } from '../errors.ts';

interface Run<T> {
  readonly result: Promise<T>;
  /**
   * The next run, for the callers that called during this run. Undefined if there are no such
   * callers.
   */
  next: Promise<T> | undefined;
}

/**
 * Shares the result of one run among several callers. A caller that calls during a run waits for
 * the next run, which begins when the current run ends. A caller therefore never gets a result from
 * a run that began before the call.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();

  /**
   * Returns the result of the work, or throws the error of the work. Calls with the same `key`
   * share runs.
   */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const run = this.#runs.get(key);
    if (run === undefined) return this.#start(key, work);
    run.next ??= run.result.then(
      () => this.#start(key, work),
      (error: unknown) => {
        if (!(error instanceof CatalogError) || error.kind !== 'busy') {
          return this.#start(key, work);
        }
        this.#runs.delete(key);
        throw error; // reject the waiting callers too, because they have waited long enough
      },
    );
    return run.next;
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const run: Run<T> = { result: work(), next: undefined };
    this.#runs.set(key, run);
    const end = () => {
      if (run.next === undefined) this.#runs.delete(key);
    };
    run.result.then(end, end);
    return run.result;
  }
}
