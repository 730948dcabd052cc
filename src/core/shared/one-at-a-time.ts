import { within } from './within.ts';

/**
 * Runs tasks that concern the same thing one at a time, in the order of the calls. Tasks that
 * concern different things run concurrently.
 */
export class OneAtATime {
  /**
   * For each thing, a promise that resolves when its last task has ended. The next caller waits for
   * it. Never rejects.
   */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits until the earlier tasks of the same thing have ended, then runs the work. Throws busy()
   * if they do not end within `waitMs` milliseconds. There is no limit if `waitMs` is absent.
   */
  async run<T>(thing: string, work: () => Promise<T>, waitMs?: number): Promise<T> {
    const before = this.#last.get(thing);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const last = before === undefined ? over : before.then(() => over);
    this.#last.set(thing, last);
    try {
      if (before !== undefined) await (waitMs === undefined ? before : within(before, waitMs));
      return await work();
    } finally {
      end();
      if (this.#last.get(thing) === last) this.#last.delete(thing);
    }
  }
}
