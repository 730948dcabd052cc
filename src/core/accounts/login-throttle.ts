import { tooManyAttempts } from '../shared/errors.ts';
import { networkOf } from '../shared/requests/network-of.ts';
import type { LoginTries } from './ports.ts';

export interface ThrottleLimit {
  readonly failures: number;
  readonly windowMs: number;
}

/**
 * Ratio of two limits on failures from one IP address: the limit for all names together, divided by
 * the limit for one name.
 */
const namesPerAddress = 10;

/**
 * Limits failed logins (docs/api/decisions.md) by three limits:
 * - for one name from one IP address: 10 failures in 15 minutes unless configured;
 * - for one IP address: ten times the first limit;
 * - for one name: `overallLimit`.
 * The database counts the attempts. The limits therefore apply to all processes that share the
 * database, and survive restarts.
 */
export class LoginThrottle {
  readonly #limit: ThrottleLimit;
  readonly #tries: LoginTries;

  constructor(limit: ThrottleLimit, tries: LoginTries) {
    this.#limit = limit;
    this.#tries = tries;
  }

  /** How long a failed attempt is included in the count, in milliseconds. */
  get windowMs(): number {
    return this.#limit.windowMs;
  }

  /**
   * Runs one login attempt and returns its result. If the result is null, the attempt counts as
   * failed. After any other result, earlier failures of the name from this address no longer count.
   * If `clearsItself` is set, `run` must clear these failures in its own transaction. Throws
   * `too many attempts`, without calling `run`, when failed and pending attempts have reached a
   * limit. Throws busy().
   */
  async attempt<T>(
    name: string,
    address: string,
    run: (tryId: number) => Promise<T | null>,
    { clearsItself = false } = {},
  ): Promise<T | null> {
    const { failures, windowMs } = this.#limit;
    const begun = await this.#tries.begin({
      name,
      network: networkOf(address),
      windowMs,
      maxPerName: failures,
      maxPerNetwork: failures * namesPerAddress,
    });
    if ('freeInMs' in begun) throw tooManyAttempts(Math.max(1, Math.ceil(begun.freeInMs / 1000)));
    const { id } = begun;
    let result: T | null;
    try {
      result = await run(id);
    } catch (error) {
      await this.#tries.forget(id).catch(() => undefined); // on failure, the attempt expires
      throw error;
    }
    if (result === null) this.#tries.recordFailure(id);
    else if (!clearsItself) await this.#tries.clear(id);
    return result;
  }
}
