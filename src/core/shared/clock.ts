/**
 * The clocks of the machine. Code receives the clocks as an object, so that tests can control the
 * time.
 */
export interface Clock {
  /**
   * Returns the wall-clock time as a timestamp in ISO 8601: UTC, with milliseconds and the suffix
   * `Z` (docs/api/decisions.md).
   */
  timestamp(): string;
  /**
   * Returns the wall-clock time in milliseconds since 1970. Use this clock to calculate expiry
   * times.
   */
  now(): number;
  /**
   * Returns a time in milliseconds that never decreases. Use this clock for timeouts and leases,
   * because setting the wall clock does not affect this clock.
   */
  monotonic(): number;
}

export const systemClock: Clock = {
  timestamp: () => new Date().toISOString(),
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
