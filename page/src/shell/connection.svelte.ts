const waits = [1, 2, 3] as const;
/** Seconds between two attempts while the tab is hidden. */
const hiddenWait = 30;

/**
 * Tracks whether the server is reachable. While the server is unreachable, tries again after 1, 2
 * and then every 3 seconds. A hidden tab tries again every 30 seconds.
 */
export class Connection {
  isOffline = $state(false);
  /** Seconds until the next attempt to reach the server. */
  secondsLeft = $state(0);
  /**
   * Incremented whenever the server becomes reachable again. Screens depend on this number and
   * repeat their requests when the number changes.
   */
  reconnectCount = $state(0);
  readonly #probe: () => Promise<void>;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `probe` sends a request that resolves if the server is reachable, and rejects otherwise. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /** Records whether the server was reachable. Call `recordReachability` after every request. */
  recordReachability(isReachable: boolean): void {
    if (isReachable) this.#back();
    else if (!this.isOffline) {
      this.isOffline = true;
      this.#tries = 0;
      this.#wait();
    }
  }

  /** Tries to reach the server immediately, without waiting for the next attempt. */
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
    this.reconnectCount += 1;
  }

  #wait(): void {
    const isHidden = globalThis.document?.visibilityState === 'hidden';
    this.secondsLeft = isHidden
      ? hiddenWait
      : (waits[Math.min(this.#tries, waits.length - 1)] ?? 3);
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
