import type { Role } from '../shared/role.ts';

/** Limits that nobody meets by accident (decisions.md). */
export const longestUsername = { bytes: 255 };
export const longestLabel = { characters: 200 };
export const mostLiveTokens = 200;

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

/** A token is valid while it is neither revoked nor expired and its user is active. */
export function isLive(credential: Credential, nowMs: number): boolean {
  const { user, token } = credential;
  if (!user.isActive || token.revokedAt !== null) return false;
  return token.expiresAt === null || Date.parse(token.expiresAt) > nowMs;
}
