import { invalidField } from '../shared/errors.ts';
import type { Role } from '../shared/role.ts';
import { checkLength } from '../shared/text-limits.ts';

/** Limits that nobody meets by accident (decisions.md). */
export const longestUsername = { bytes: 255 };
export const longestLabel = { characters: 200 };
export const mostLiveTokens = 200;

const minuteMs = 60_000;
/** The limit of failed logins for one name over all networks, whether or not the name exists. Times are in milliseconds. */
export const overallLimit = {
  /** Failures and tries under way from which on unfamiliar networks are metered. */
  failures: 100,
  /** How long a failure counts. */
  windowMs: 60 * minuteMs,
  /** All unfamiliar networks together get one try in this time. */
  oneTryMs: minuteMs,
  /** How long a network is familiar after a login to the name succeeded from it. */
  familiarMs: 30 * 24 * 60 * minuteMs,
};

/** The labels of tokens that a login makes, by what asked for it. */
export const loginLabels = { api: 'desktop', web: 'browser' } as const;

export interface User {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
}

/** A token as it is listed; its value is never kept, only the SHA-256 of it. */
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

/** What a presented token stands for. */
export interface Credential {
  readonly user: User;
  readonly token: Token;
}

/** User names are compared exactly, after trimming and NFC (decisions.md). */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim();
}

/** Control, format and bidirectional characters. With them an account could look like another one. */
const refusedInUsernames = /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u;

/** Throws a 422 for a name that no account gets; one that an account has already stays usable. */
export function checkUsername(username: string): void {
  checkLength('username', username, longestUsername);
  if (!refusedInUsernames.test(username)) return;
  throw invalidField('username', 'must not contain control, format or bidirectional characters');
}

/** A token is valid while it is neither revoked nor expired and its user is active. */
export function isLive(credential: Credential, nowMs: number): boolean {
  const { user, token } = credential;
  if (!user.isActive || token.revokedAt !== null) return false;
  return token.expiresAt === null || Date.parse(token.expiresAt) > nowMs;
}
