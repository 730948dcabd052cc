import { CatalogError } from './errors.ts';

interface Run<T> {
  readonly result: Promise<T>;
  /**
   * The run after this one. It serves the callers that came after this one began. Undefined if
   * there are none.
   */
  next: Promise<T> | undefined;
}

/**
 * Shares the result of one run among several callers. A caller that comes during a run waits for
 * the next run, which begins when the current one ends. A caller therefore never gets a result
 * whose calculation began before its call.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();

  /**
   * Returns the result of the work, or throws its error. Calls with the same `thing` share runs.
   */
  run(thing: string, work: () => Promise<T>): Promise<T> {
    const run = this.#runs.get(thing);
    if (run === undefined) return this.#start(thing, work);
    run.next ??= run.result.then(
      () => this.#start(thing, work),
      (error: unknown) => {
        if (!(error instanceof CatalogError) || error.kind !== 'busy') {
          return this.#start(thing, work);
        }
        this.#runs.delete(thing);
        throw error; // its waiting callers have waited long enough
      },
    );
    return run.next;
  }

  #start(thing: string, work: () => Promise<T>): Promise<T> {
    const run: Run<T> = { result: work(), next: undefined };
    this.#runs.set(thing, run);
    const end = () => {
      if (run.next === undefined) this.#runs.delete(thing);
    };
    run.result.then(end, end);
    return run.result;
  }
}
