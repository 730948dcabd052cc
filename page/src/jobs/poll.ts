const busyMs = 1_000;
const idleMs = 10_000;

/**
 * Polls every second while a job runs and the tab is visible, otherwise every ten seconds. Each
 * read finishes before the next one starts.
 */
export class Poll {
  readonly #read: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;
  #asking: Promise<void> | null = null;

  /** `read` polls once and returns whether a job is running. It never throws. */
  constructor(read: () => Promise<boolean>) {
    this.#read = read;
  }

  /** Starts polling, with an immediate read. Returns a function that stops it. */
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

  /** Polls immediately instead of waiting for the timer. */
  async now(): Promise<void> {
    await this.#asking;
    clearTimeout(this.#timer);
    this.#asking = this.#ask();
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const runs = await this.#read();
    this.#asking = null;
    if (!this.#isOn) return;
    const ms = runs && document.visibilityState === 'visible' ? busyMs : idleMs;
    this.#timer = setTimeout(() => void this.now(), ms);
  }

  readonly #onVisibility = () => {
    if (document.visibilityState === 'visible') void this.now();
  };
}
