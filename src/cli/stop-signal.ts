/** Signals that come within this time are one: Ctrl-C below npm comes twice, from the terminal and from npm. */
const sameMs = 500;

/** SIGTERM and SIGINT: the first asks to stop, the second to stop now. */
export class StopSignal {
  came: NodeJS.Signals | null = null;
  #cameAt = 0;
  #first: (signal: NodeJS.Signals) => void = () => undefined;
  #second: (signal: NodeJS.Signals) => void;

  constructor(onSecond: (signal: NodeJS.Signals) => void) {
    this.#second = onSecond;
    process.on('SIGTERM', this.#onSignal).on('SIGINT', this.#onSignal);
  }

  /** Runs at the first signal, at once when it has come. */
  onFirst(action: (signal: NodeJS.Signals) => void): void {
    this.#first = action;
    if (this.came !== null) action(this.came);
  }

  onSecond(action: (signal: NodeJS.Signals) => void): void {
    this.#second = action;
  }

  release(): void {
    process.off('SIGTERM', this.#onSignal).off('SIGINT', this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (this.came !== null) {
      if (performance.now() - this.#cameAt > sameMs) this.#second(signal);
      return;
    }
    this.came = signal;
    this.#cameAt = performance.now();
    this.#first(signal);
  };
}
