const waits = [1, 2, 4, 8, 16, 30] as const;

/**
 * Tracks whether the server is reachable. While it is not, retries after 1, 2, 4 ... 30 seconds.
 */
export class Connection {
  isOffline = $state(false);
  /** Seconds until the next try. */
  secondsLeft = $state(0);
  /** Incremented on every reconnect, so that failed requests are retried. */
  returns = $state(0);
  readonly #probe: () => Promise<void>;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `probe` resolves if the server answers. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** Call this after every request. */
  note(isReachable: boolean): void {
    if (isReachable) this.#back();
    else if (!this.isOffline) {
      this.isOffline = true;
      this.#tries = 0;
      this.#wait();
    }
  }

  /** Tries to reach the server immediately. */
  async tryNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.secondsLeft = 0;
    try {
      await this.#probe();
      this.#back();
    } catch {
      this.#wait();
    }
  }

  #back(): void {
    if (!this.isOffline) return;
    clearTimeout(this.#timer);
    this.isOffline = false;
    this.returns += 1;
  }

  #wait(): void {
    this.secondsLeft = waits[Math.min(this.#tries, waits.length - 1)] ?? 30;
    this.#tries += 1;
    this.#tick();
  }

  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.secondsLeft -= 1;
      if (this.secondsLeft > 0) this.#tick();
      else void this.tryNow();
    }, 1000);
  }
}
