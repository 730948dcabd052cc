import type { SessionRecord } from './model.ts';
import { requestJson } from './request.ts';

/** Returns the current user, and server information that is visible without signing in. */
export function readSession(): Promise<SessionRecord> {
  return requestJson('GET', '/api/session');
}

/**
 * Signs this browser in. The server sets a session cookie, so the token in the response is not
 * needed.
 */
export async function signIn(username: string, password: string): Promise<void> {
  await requestJson('POST', '/api/auth/login', { body: { username, password, cookie: true } });
}

export async function signOut(): Promise<void> {
  await requestJson('POST', '/api/auth/logout');
}

/** Resolves if the server is reachable and healthy; rejects otherwise. */
export async function checkHealth(): Promise<void> {
  await requestJson('GET', '/api/health');
}
