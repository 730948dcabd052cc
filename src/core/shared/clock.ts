/** Time as a value, so that tests control it. */
export interface Clock {
  /** Wall-clock time as a timestamp string: ISO 8601, UTC, milliseconds and `Z` (decisions.md). */
  timestamp(): string;
  /** Milliseconds since 1970, for computing expiry. */
  now(): number;
  /** Milliseconds that never decrease: a changed clock must not stretch limits and leases. */
  monotonic(): number;
}

export const systemClock: Clock = {
  timestamp: () => new Date().toISOString(),
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
