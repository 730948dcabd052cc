import type { NotReadyPart } from '../api/session.ts';

/**
 * Pauses between two checks, in milliseconds. The shorter pause applies while a part is not ready.
 */
const usualMs = 60_000;
const soonMs = 10_000;

/** Tracks whether the server can save changes. */
export class Writability {
  /**
   * The parts of the server that are not ready. Empty if all parts are ready, or if the state is
   * unknown.
   */
  notReady: readonly NotReadyPart[] = $state.raw([]);
  readonly #check: () => Promise<readonly NotReadyPart[]>;

  /**
   * `check` queries the server, and rejects if the response does not say which parts are not ready.
   */
  constructor(check: () => Promise<readonly NotReadyPart[]>) {
    this.#check = check;
  }

  /**
   * Checks immediately and then repeatedly while the page is visible. Returns a function that stops
   * the checks.
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
