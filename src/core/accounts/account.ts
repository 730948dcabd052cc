import { invalidField } from '../shared/errors.ts';
import type { Role } from '../shared/role.ts';
import { checkLength } from '../shared/text-limits.ts';

/**
 * Limits of user accounts. They are so high that a user does not reach them by accident
 * (decisions.md).
 */
export const longestUsername = { bytes: 255 };
export const longestLabel = { characters: 200 };
export const mostLiveTokens = 200;

const minuteMs = 60_000;
/**
 * Limits failed logins for one name over all networks, whether or not the name exists. Times are in
 * milliseconds.
 */
export const overallLimit = {
  /**
   * Once this many attempts for the name have failed or are pending, networks that are not familiar
   * get only metered attempts.
   */
  failures: 100,
  /** How long a failed attempt is included in the count. */
  windowMs: 60 * minuteMs,
  /** Metered: within this time, all networks that are not familiar get one attempt together. */
  oneTryMs: minuteMs,
  /** How long a network stays familiar after a successful login to the name from there. */
  familiarMs: 30 * 24 * 60 * minuteMs,
};

/** Labels of the tokens that a login creates, by the kind of client. */
export const loginLabels = { api: 'desktop', web: 'browser' } as const;

export interface User {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
}

/** A token as lists show it. The value of a token is never stored, only its SHA-256. */
export interface Token {
  readonly id: number;
  readonly label: string;
  /** `api` for programs, `web` for a browser's cookie. */
  readonly kind: 'api' | 'web';
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** The user and token that a presented token value identifies. */
export interface Credential {
  readonly user: User;
  readonly token: Token;
}

/**
 * Returns the form in which user names are stored and compared: trimmed, in Unicode NFC
 * (decisions.md). The comparison is exact.
 */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim();
}

/**
 * Control, format and bidirectional characters, which new user names must not contain. They could
 * make an account look like another one.
 */
const refusedInUsernames = /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u;

/**
 * Throws a 422 if a new account may not have this name. Existing accounts with such a name remain
 * usable.
 */
export function checkUsername(username: string): void {
  checkLength('username', username, longestUsername);
  if (!refusedInUsernames.test(username)) return;
  throw invalidField('username', 'must not contain control, format or bidirectional characters');
}

/** Returns whether the token is valid: neither revoked nor expired, and its user is active. */
export function isLive(credential: Credential, nowMs: number): boolean {
  const { user, token } = credential;
  if (!user.isActive || token.revokedAt !== null) return false;
  return token.expiresAt === null || Date.parse(token.expiresAt) > nowMs;
}
