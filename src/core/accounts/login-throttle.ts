import { tooManyAttempts } from '../shared/errors.ts';
import { networkOf } from '../shared/network-of.ts';
import type { LoginTries } from './ports.ts';

export interface ThrottleLimit {
  readonly failures: number;
  readonly windowMs: number;
}

/** An IP address may have this many times the failures of one name, for all names together. */
const namesPerAddress = 10;

/**
 * Limits failed logins by name and IP address, by IP address, and by name (decisions.md). The
 * limits are 10 in 15 minutes unless set, ten times as many, and `overallLimit`. The database
 * counts, for all processes that share it and across restarts.
 */
export class LoginThrottle {
  readonly #limit: ThrottleLimit;
  readonly #tries: LoginTries;

  constructor(limit: ThrottleLimit, tries: LoginTries) {
    this.#limit = limit;
    this.#tries = tries;
  }

  /** How long a failure counts, in milliseconds. */
  get windowMs(): number {
    return this.#limit.windowMs;
  }

  /**
   * Runs one attempt and returns its result. A null result counts as a failure. Any other result
   * clears the count of the name and address, unless `run` clears it in its own transaction. When
   * failures and pending attempts reach a limit, it throws `too many attempts` without running.
   * Throws busy().
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
      mostOfName: failures,
      mostOfNetwork: failures * namesPerAddress,
    });
    if ('freeInMs' in begun) throw tooManyAttempts(Math.max(1, Math.ceil(begun.freeInMs / 1000)));
    const { id } = begun;
    let result: T | null;
    try {
      result = await run(id);
    } catch (error) {
      await this.#tries.forget(id).catch(() => undefined); // then it counts until its window ends
      throw error;
    }
    if (result === null) this.#tries.noteFailure(id);
    else if (!clearsItself) await this.#tries.clear(id);
    return result;
  }
}
