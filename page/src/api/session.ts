import type { SessionRecord } from './model.ts';
import { ask } from './request.ts';

/** Returns the current user, and the server information that anyone may see. */
export function readSession(): Promise<SessionRecord> {
  return ask('GET', '/api/session');
}

/** Signs this browser in with a cookie. The token in the response is discarded. */
export async function signIn(username: string, password: string): Promise<void> {
  await ask('POST', '/api/auth/login', { body: { username, password, cookie: true } });
}

export async function signOut(): Promise<void> {
  await ask('POST', '/api/auth/logout');
}

/** Resolves if the server answers and is healthy. */
export async function checkHealth(): Promise<void> {
  await ask('GET', '/api/health');
}
