import type { Clock } from '../shared/clock.ts';
import { tooManyAttempts } from '../shared/errors.ts';
import { networkOf } from '../shared/network-of.ts';

export interface ThrottleLimit {
  readonly failures: number;
  readonly windowMs: number;
}

interface Tries {
  /** Monotonic times of the failures within the window, oldest first. */
  failedAt: number[];
  underWay: number;
}

const mostKeys = 100_000;

/** So many times as many failures as for one name are allowed to one address, whatever the names. */
const namesPerAddress = 10;

/**
 * Counts failed logins by name and address, and by address (decisions.md: 10 in 15 minutes unless set, and ten times as
 * many). It lives in memory: a restart forgets, and each process counts by itself.
 */
export class LoginThrottle {
  readonly #limit: ThrottleLimit;
  readonly #clock: Clock;
  readonly #tries = new Map<string, Tries>();

  constructor(limit: ThrottleLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** How long a failure counts, in milliseconds. */
  get windowMs(): number {
    return this.#limit.windowMs;
  }

  /**
   * Runs one try and returns what it returns; null counts as a failure, anything else clears the count of the name and
   * address. Throws `too many attempts` without running it when failures and tries under way reach a limit.
   */
  async attempt<T>(name: string, address: string, run: () => Promise<T | null>): Promise<T | null> {
    const network = networkOf(address);
    const { failures } = this.#limit;
    const own = { key: JSON.stringify([name.slice(0, 256), network]), most: failures };
    const all = { key: JSON.stringify([network]), most: failures * namesPerAddress };
    const counts = [own, all].map(({ key, most }) => ({
      key,
      most,
      tries: this.#recentTries(key),
    }));
    const blocking = counts.filter(
      ({ tries, most }) => tries.failedAt.length + tries.underWay >= most,
    );
    if (blocking.length > 0) {
      const seconds = blocking.map(({ tries }) => this.#secondsUntilFree(tries));
      for (const { key, tries } of counts) this.#forgetEmpty(key, tries);
      throw tooManyAttempts(Math.max(...seconds));
    }
    for (const { tries } of counts) tries.underWay += 1;
    try {
      const result = await run();
      const at = this.#clock.monotonic();
      for (const { key, tries } of counts) {
        if (result === null) tries.failedAt.push(at);
        else if (key === own.key) tries.failedAt = [];
      }
      return result;
    } finally {
      for (const { key, tries } of counts) {
        tries.underWay -= 1;
        this.#forgetEmpty(key, tries);
      }
    }
  }

  #forgetEmpty(key: string, tries: Tries): void {
    if (tries.failedAt.length === 0 && tries.underWay === 0) this.#tries.delete(key);
  }

  #recentTries(key: string): Tries {
    const since = this.#clock.monotonic() - this.#limit.windowMs;
    const tries = this.#tries.get(key) ?? { failedAt: [], underWay: 0 };
    tries.failedAt = tries.failedAt.filter((at) => at > since);
    // Re-inserting keeps the map in order of use, so that the oldest keys go first when there are too many.
    this.#tries.delete(key);
    this.#tries.set(key, tries);
    if (this.#tries.size > mostKeys) this.#forgetOldest();
    return tries;
  }

  #forgetOldest(): void {
    for (const [key, tries] of this.#tries) {
      if (tries.underWay > 0) continue;
      this.#tries.delete(key);
      return;
    }
  }

  #secondsUntilFree(tries: Tries): number {
    const oldest = tries.failedAt[0];
    if (oldest === undefined) return 1;
    const left = oldest + this.#limit.windowMs - this.#clock.monotonic();
    return Math.max(1, Math.ceil(left / 1000));
  }
}
