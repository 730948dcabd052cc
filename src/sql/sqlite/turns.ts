import { busy } from '../../core/shared/errors.ts';

/** Lets at most `places` in at once and the others wait in order. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Waits for a place and returns the function that gives it back.
   * Throws busy() when none was free within `waitMs`.
   */
  async enter(waitMs?: number): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(waitMs);
    return () => this.#leave();
  }

  #wait(waitMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(enter);
        reject(busy());
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.add(enter);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next); // the place goes on to the next one
    next();
  }
}
