import { within } from './within.ts';

/**
 * Runs one work per thing at a time, in the order of the calls; works on other things run
 * concurrently.
 */
export class OneAtATime {
  /** Per thing, the promise that the next caller awaits. Never rejects. */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs work when its turn comes. Throws busy() if it does not come within `waitMs`; absent for no
   * limit.
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
