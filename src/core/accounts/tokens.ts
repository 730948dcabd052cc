import { hash, randomBytes } from 'node:crypto';

/** Returns a new token value: `cat_` and 32 random bytes in base64url (decisions.md). */
export function newTokenValue(): string {
  return `cat_${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns the form in which a token is stored: the SHA-256 of its value, in lower-case hexadecimal.
 */
export function tokenHash(value: string): string {
  return hash('sha256', value, 'hex');
}

const millisecondsPerDay = 86_400_000;
/**
 * The last millisecond of the year 9999. No token expires later, because a timestamp has a
 * four-digit year.
 */
const latestDate = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the timestamp `days` days after `nowMs`, or null for no expiry if `days` is 0. */
export function expiryAfter(days: number, nowMs: number): string | null {
  if (days === 0) return null;
  return new Date(Math.min(nowMs + days * millisecondsPerDay, latestDate)).toISOString();
}
