const millisecondsPerDay = 86_400_000;

/**
 * The last millisecond of the year 9999. Nothing expires later, because a timestamp has a
 * four-digit year.
 */
const latestDate = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the timestamp `days` days after `nowMs`, or null for no expiry if `days` is 0. */
export function expiryAfter(days: number, nowMs: number): string | null {
  if (days === 0) return null;
  return new Date(Math.min(nowMs + days * millisecondsPerDay, latestDate)).toISOString();
}
