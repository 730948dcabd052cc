/**
 * A process that did not run for longer than this may have lost its leases, in milliseconds. A
 * lease expires 15 s after its last renewal, which may be 5 s old when the process stops to run.
 */
const longestMs = 10_000;
const lookIntervalMs = 1_000;

/**
 * Detects that this process did not run for more than 10 s: a signal stopped it, its machine slept,
 * or a disk blocked it. Other processes may have taken over its work meanwhile.
 */
export class Standstill {
  readonly #elapsed: () => number;
  readonly #onReturn: (ms: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(parts: {
    /**
     * Returns a time in milliseconds that never decreases. It also advances while the machine
     * sleeps.
     */
    elapsed: () => number;
    /** Called after each standstill, with its length in milliseconds. */
    onReturn: (ms: number) => void;
  }) {
    this.#elapsed = parts.elapsed;
    this.#onReturn = parts.onReturn;
  }

  begin(): void {
    this.#lookedAt = this.#elapsed();
    this.#timer = setInterval(() => this.#look(), lookIntervalMs);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#elapsed();
    const ms = now - this.#lookedAt - lookIntervalMs;
    this.#lookedAt = now;
    if (ms > longestMs) this.#onReturn(ms);
  }
}
