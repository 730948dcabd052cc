const busyMs = 1_000;
const idleMs = 10_000;

/**
 * Asks again and again: each second while something runs and the tab is seen, else every ten seconds. Every answer is
 * awaited before the next question.
 */
export class Poll {
  readonly #read: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;
  #asking: Promise<void> | null = null;

  /** `read` asks once, never throws, and says whether something runs. */
  constructor(read: () => Promise<boolean>) {
    this.#read = read;
  }

  /** Asks now and from now on; returns how to end it. */
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

  /** Asks without waiting for the next turn. */
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
