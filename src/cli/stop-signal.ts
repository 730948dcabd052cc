const sameWishMs = 500;

/** SIGTERM and SIGINT: the first asks to stop, the second to stop now. */
export class StopSignal {
  came = false;
  readonly signalled: Promise<void>;
  #cameAt = 0;
  #second: () => void = () => process.exit(0);
  #resolve: () => void = () => undefined;

  constructor() {
    this.signalled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on('SIGTERM', this.#onSignal).on('SIGINT', this.#onSignal);
  }

  onSecond(action: () => void): void {
    this.#second = action;
  }

  release(): void {
    process.off('SIGTERM', this.#onSignal).off('SIGINT', this.#onSignal);
  }

  readonly #onSignal = () => {
    if (this.came) {
      // Ctrl-C below npm comes twice, from the terminal and from npm: that is one wish, not two.
      if (performance.now() - this.#cameAt > sameWishMs) this.#second();
      return;
    }
    this.came = true;
    this.#cameAt = performance.now();
    this.#resolve();
  };
}
