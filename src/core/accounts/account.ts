import { invalidField } from '../shared/errors.ts';
import type { Role } from '../shared/requests/role.ts';
import { checkLength } from '../shared/text-limits.ts';

/**
 * Limits of user accounts. They are high enough that ordinary use does not reach them
 * (docs/api/decisions.md).
 */
export const usernameLimit = { bytes: 255 };
export const labelLimit = { characters: 200 };
export const maxLiveTokens = 200;

const minuteMs = 60_000;
/**
 * Limit on failed logins for one name, counted over all networks. It also applies to names that do
 * not exist. Times are in milliseconds.
 */
export const overallLimit = {
  /**
   * Number of failed and pending attempts for the name after which unfamiliar networks get only
   * metered attempts.
   */
  failures: 100,
  /** How long a failed attempt is included in the count. */
  windowMs: 60 * minuteMs,
  /**
   * Interval between metered attempts. All unfamiliar networks together get one attempt per
   * interval.
   */
  oneTryMs: minuteMs,
  /** How long a network stays familiar after a successful login to the name from that network. */
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

/** A token as lists show it. Only the SHA-256 of the token's value is stored, never the value. */
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
 * (docs/api/decisions.md). The comparison is exact.
 */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim();
}

/**
 * Matches control, format and bidirectional characters. New user names must not contain them,
 * because they could make an account look like another one.
 */
const refusedInUsernames = /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u;

/**
 * Throws a 422 if a new account may not have this name. An existing account with a refused name
 * remains usable.
 */
export function checkUsername(username: string): void {
  checkLength('username', username, usernameLimit);
  if (!refusedInUsernames.test(username)) return;
  throw invalidField('username', 'must not contain control, format or bidirectional characters');
}

/** Returns true if the token is neither revoked nor expired and its user is active. */
export function isLive(credential: Credential, nowMs: number): boolean {
  const { user, token } = credential;
  if (!user.isActive || token.revokedAt !== null) return false;
  return token.expiresAt === null || Date.parse(token.expiresAt) > nowMs;
}
