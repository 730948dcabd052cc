import { CatalogError } from './errors.ts';

interface Run<T> {
  readonly result: Promise<T>;
  /** The next run, which callers wait for that came since this one began. */
  next: Promise<T> | undefined;
}

/**
 * Lets callers share the work of one run. A caller that comes during a run waits for the next one,
 * which begins when this one ends. So no caller gets a result that was begun before its call.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();

  /** Returns the result of the work, or throws its error. */
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
        throw error; // the callers that waited for it have waited long enough
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
