/**
 * Time in milliseconds without running after which a process may have lost its leases. A lease
 * expires 15 s after its last renewal. That renewal may be 5 s old when the process stops running.
 */
const maxStallMs = 10_000;
const checkIntervalMs = 1_000;

/**
 * Detects that this process did not run for more than 10 s: a signal stopped it, its machine slept,
 * or a disk blocked it. Other processes may have taken over its work meanwhile.
 */
export class StallDetector {
  readonly #elapsed: () => number;
  readonly #onStall: (ms: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;

  constructor(parts: {
    /**
     * Returns a time in milliseconds that never decreases. It also advances while the machine
     * sleeps.
     */
    elapsed: () => number;
    /** Called after each stall, with its length in milliseconds. */
    onStall: (ms: number) => void;
  }) {
    this.#elapsed = parts.elapsed;
    this.#onStall = parts.onStall;
  }

  begin(): void {
    this.#checkedAt = this.#elapsed();
    this.#timer = setInterval(() => this.#check(), checkIntervalMs);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = this.#elapsed();
    const ms = now - this.#checkedAt - checkIntervalMs;
    this.#checkedAt = now;
    if (ms > maxStallMs) this.#onStall(ms);
  }
}
