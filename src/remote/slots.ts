/** So many things at a time; others wait in line. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with what gives the slot back, to be called once. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return () => {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(onTurn);
        reject(signal.reason);
      };
      const onTurn = () => {
        this.#waiting.delete(onTurn);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.add(onTurn);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }
}
