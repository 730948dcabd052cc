import type { Token } from './model.ts';
import { requestJson } from './request.ts';

/**
 * Changes the current user's password. If `revokeOthers` is true, all other sessions and tokens of
 * the user are revoked.
 */
export async function changePassword(
  current: string,
  next: string,
  revokeOthers: boolean,
): Promise<void> {
  const body = { current, new: next, revoke_others: revokeOthers };
  await requestJson('POST', '/api/auth/password', { body });
}

export async function listOwnTokens(signal: AbortSignal): Promise<readonly Token[]> {
  const query = { include: 'current' };
  return (await requestJson('GET', '/api/auth/tokens', { query, signal })).items;
}

/**
 * Creates a token for a program and returns the token's value, which is never shown again. `days`
 * is the lifetime in days; 0 means that the token does not expire.
 */
export function makeToken(
  label: string,
  days: number,
): Promise<{ id: number; token: string; expires_at: string | null }> {
  return requestJson('POST', '/api/auth/tokens', { body: { label, expires_in_days: days } });
}

export async function revokeOwnToken(id: number): Promise<void> {
  await requestJson('DELETE', '/api/auth/tokens/{id}', { path: { id } });
}
