/**
 * Lets work run concurrently or alone. Work that must run alone waits until all earlier work has
 * ended. All later work waits until the work that runs alone has ended.
 */
export class Gate {
  /**
   * A promise for each piece of work that runs or waits. The promise resolves when the work has
   * ended.
   */
  readonly #ends = new Set<Promise<void>>();
  #lastAlone: Promise<void> = Promise.resolve();

  /**
   * Resolves when the work may begin. If `isAlone` is true, the work runs alone. The caller must
   * call the returned function when the work has ended.
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
