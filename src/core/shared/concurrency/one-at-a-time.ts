import { withTimeout } from './with-timeout.ts';

/**
 * Runs the tasks for each key one at a time, in the order of the calls. Tasks for different keys
 * run concurrently.
 */
export class OneAtATime {
  /**
   * For each key, a promise that resolves when the last task for the key has ended. The next caller
   * waits for this promise. The promise never rejects.
   */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits until all earlier tasks for `key` have ended, then runs the work and returns the
   * result. Throws busy() if the earlier tasks do not end within `waitMs` milliseconds. Waits
   * without limit if `waitMs` is absent. Throws any error of the work.
   */
  async run<T>(key: string, work: () => Promise<T>, waitMs?: number): Promise<T> {
    const before = this.#last.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const last = before === undefined ? over : before.then(() => over);
    this.#last.set(key, last);
    try {
      if (before !== undefined) await (waitMs === undefined ? before : withTimeout(before, waitMs));
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === last) this.#last.delete(key);
    }
  }
}
