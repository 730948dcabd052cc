/** Lets work in in the order in which it comes: what is to be alone waits for all before it, and all behind it wait for it. */
export class Gate {
  /** Of what is in or waits. */
  readonly #ends = new Set<Promise<void>>();
  #lastAlone: Promise<void> = Promise.resolve();

  /** Resolves when the work may begin, with what is to be called when it ended. */
  async enter(isAlone: boolean): Promise<() => void> {
    const before = isAlone ? [...this.#ends] : [this.#lastAlone];
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.add(promise);
    if (isAlone) this.#lastAlone = promise;
    await Promise.all(before);
    return () => {
      this.#ends.delete(promise);
      resolve();
    };
  }
}
