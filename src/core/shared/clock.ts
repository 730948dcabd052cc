/** The clocks of the machine. They are passed as an object, so that tests can control the time. */
export interface Clock {
  /**
   * Returns the wall-clock time as a timestamp: ISO 8601, in UTC, with milliseconds and `Z`
   * (decisions.md).
   */
  timestamp(): string;
  /** Returns the wall-clock time in milliseconds since 1970. Use it to calculate expiry times. */
  now(): number;
  /**
   * Returns milliseconds that never decrease. Use it for timeouts and leases, so that setting the
   * wall clock does not change their duration.
   */
  monotonic(): number;
}

export const systemClock: Clock = {
  timestamp: () => new Date().toISOString(),
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
