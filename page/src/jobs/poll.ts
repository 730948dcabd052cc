const busyMs = 1_000;
const idleMs = 10_000;

/**
 * Calls `read` every second while a job is running and the tab is visible, otherwise every ten
 * seconds. A read starts only after the previous read has ended.
 */
export class Poll {
  readonly #read: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;
  #reading: Promise<void> | null = null;

  /**
   * `read` sends one request and resolves with true if a job is running. `read` must not reject.
   */
  constructor(read: () => Promise<boolean>) {
    this.#read = read;
  }

  /** Starts polling with an immediate read. Returns a function that stops polling. */
  start(): () => void {
    this.#isOn = true;
    document.addEventListener('visibilitychange', this.#onVisibility);
    void this.now();
    return () => {
      this.#isOn = false;
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', this.#onVisibility);
    };
  }

  /** Reads immediately instead of waiting for the timer. Resolves when the read has ended. */
  async now(): Promise<void> {
    await this.#reading;
    clearTimeout(this.#timer);
    this.#reading = this.#readOnce();
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    const runs = await this.#read();
    this.#reading = null;
    if (!this.#isOn) return;
    const ms = runs && document.visibilityState === 'visible' ? busyMs : idleMs;
    this.#timer = setTimeout(() => void this.now(), ms);
  }

  readonly #onVisibility = () => {
    if (document.visibilityState === 'visible') void this.now();
  };
}
