import type { SessionRecord } from './extensions.ts';
import { ask, Refusal } from './request.ts';
import { sessionWithout } from './without-extensions.ts';

/** Who is signed in here, and what everybody may know of the server. */
export async function readSession(): Promise<SessionRecord> {
  try {
    return await ask<SessionRecord>('GET', '/api/session');
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return sessionWithout();
    throw error;
  }
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
