import type { SessionRecord, User } from './extensions.ts';
import { ask, Refusal } from './request.ts';

// How the page gets along with a server that has none of the extensions yet. This file goes with the last such server.

/** What `/session` would say. */
export async function sessionWithout(): Promise<SessionRecord> {
  const [user, releases] = await Promise.all([findUser(), countReleases()]);
  return { user, releases, version: null, sign_in_required: false };
}

/** What an endpoint answers that is not there: nothing. */
export async function orNothing<T>(
  answer: Promise<{ items: readonly T[] }>,
): Promise<readonly T[]> {
  try {
    return (await answer).items;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return [];
    throw error;
  }
}

/** A tag for a cover that was changed here so many times: without one the browser would show the earlier picture. */
export function coverTagOf(
  release: { readonly cover_tag?: string | null | undefined },
  changes: number,
): string | null | undefined {
  return release.cover_tag === undefined && changes > 0 ? String(changes) : release.cover_tag;
}

async function findUser(): Promise<User | null> {
  try {
    return await ask<User>('GET', '/api/auth/me');
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

async function countReleases(): Promise<number> {
  const query = { limit: 1, include: 'total' };
  return (await ask<{ total?: number }>('GET', '/api/releases', { query })).total ?? 0;
}
