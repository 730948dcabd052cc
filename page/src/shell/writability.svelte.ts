import type { NotReadyPart } from '../api/session.ts';

/** Pauses between two checks, in milliseconds: usually, and while something is not ready. */
const usualMs = 60_000;
const soonMs = 10_000;

/** Tracks whether the server can save changes. */
export class Writability {
  /**
   * The parts that the server cannot write to. Empty if it can save changes, or if that is unknown.
   */
  notReady: readonly NotReadyPart[] = $state.raw([]);
  readonly #check: () => Promise<readonly NotReadyPart[]>;

  /** `check` queries the server. It rejects if the server does not say what is not ready. */
  constructor(check: () => Promise<readonly NotReadyPart[]>) {
    this.#check = check;
  }

  /**
   * Checks at once and then repeatedly, while the page is visible. Returns a function that stops
   * this.
   */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const check = async () => {
      if (document.visibilityState === 'visible') {
        const notReady = await this.#check().catch(() => []);
        if (isStopped) return;
        this.notReady = notReady;
      }
      timer = setTimeout(() => void check(), this.notReady.length > 0 ? soonMs : usualMs);
    };
    void check();
    return () => {
      isStopped = true;
      clearTimeout(timer);
      this.notReady = [];
    };
  }
}
