import { CatalogError } from './errors.ts';

interface Run<T> {
  readonly result: Promise<T>;
  /** What those wait for who came since it began. */
  next: Promise<T> | undefined;
}

/**
 * Lets all who ask for the same thing at once share the work: who comes while it is done waits for the next run, which
 * begins when this one ends, so that nobody gets an answer that was begun before the question.
 */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();

  /** What the work results in, or throws. */
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
        throw error; // those who waited for it have waited enough
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
