/**
 * Admits work in order of arrival. Exclusive work waits for everything before it, and everything
 * after it waits for it.
 */
export class Gate {
  /** End of everything that is running or waiting. */
  readonly #ends = new Set<Promise<void>>();
  #lastAlone: Promise<void> = Promise.resolve();

  /**
   * Resolves when the work may begin. The caller must call the returned function when the work has
   * ended.
   */
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
