import type { SessionRecord } from './model.ts';
import { ask } from './request.ts';

/** Who is signed in here, and what everybody may know of the server. */
export function readSession(): Promise<SessionRecord> {
  return ask('GET', '/api/session');
}

/** Signs this browser in with a cookie; the token in the answer is dropped. */
export async function signIn(username: string, password: string): Promise<void> {
  await ask('POST', '/api/auth/login', { body: { username, password, cookie: true } });
}

export async function signOut(): Promise<void> {
  await ask('POST', '/api/auth/logout');
}

/** Resolves when the server answers and can work. */
export async function checkHealth(): Promise<void> {
  await ask('GET', '/api/health');
}
