/**
 * Two signals within this many milliseconds count as one signal. Under npm, Ctrl-C sends the signal
 * twice, from the terminal and from npm.
 */
const repeatGraceMs = 500;

/**
 * Listens for SIGTERM and SIGINT. The first signal requests a stop, the second signal an immediate
 * stop.
 */
export class StopSignal {
  received: NodeJS.Signals | null = null;
  #receivedAt = 0;
  #first: (signal: NodeJS.Signals) => void = () => undefined;
  #second: (signal: NodeJS.Signals) => void;

  constructor(onSecond: (signal: NodeJS.Signals) => void) {
    this.#second = onSecond;
    process.on('SIGTERM', this.#onSignal).on('SIGINT', this.#onSignal);
  }

  /**
   * Sets the action for the first signal. Runs the action at once if that signal has already
   * arrived.
   */
  onFirst(action: (signal: NodeJS.Signals) => void): void {
    this.#first = action;
    if (this.received !== null) action(this.received);
  }

  onSecond(action: (signal: NodeJS.Signals) => void): void {
    this.#second = action;
  }

  release(): void {
    process.off('SIGTERM', this.#onSignal).off('SIGINT', this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (this.received !== null) {
      if (performance.now() - this.#receivedAt > repeatGraceMs) this.#second(signal);
      return;
    }
    this.received = signal;
    this.#receivedAt = performance.now();
    this.#first(signal);
  };
}
