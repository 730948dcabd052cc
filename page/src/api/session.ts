import type { NotReady, SessionRecord } from './model.ts';
import { Refusal, requestJson } from './request.ts';

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

export type NotReadyPart = NonNullable<NotReady['not_ready']>[number];

/**
 * Returns the parts of the server that are not ready, such as `database`. Returns an empty array if
 * the server is ready. Rejects if the response names no parts.
 */
export async function findNotReady(): Promise<readonly NotReadyPart[]> {
  try {
    await requestJson('GET', '/api/health/ready');
    return [];
  } catch (error) {
    const names = error instanceof Refusal && (error.json as NotReady | undefined)?.not_ready;
    if (!names) throw error;
    return names;
  }
}
