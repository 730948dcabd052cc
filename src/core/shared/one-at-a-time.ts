import { within } from './within.ts';

/** Lets one work on a thing at a time, in the order of asking; work on other things goes on meanwhile. */
export class OneAtATime {
  /** By thing: what the next one waits for. Never rejects. */
  readonly #last = new Map<string, Promise<void>>();

  /** Throws busy() when its turn does not come within `waitMs`; absent for no limit. */
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
