import type { ReleaseCandidate } from './library.ts';
import { type ResponseOf, requestJson } from './request.ts';

/** The editions of a game on one platform. */
export type Group = ResponseOf<'getReleasesReleaseIdGroup'>;
export type Edition = Group['editions'][number];

/** Returns the group of a release. */
export function readGroup(releaseId: number, signal?: AbortSignal): Promise<Group> {
  return requestJson('GET', '/api/releases/{release_id}/group', {
    path: { release_id: releaseId },
    signal,
  });
}

/** Moves `releaseIds` to the group that contains `releaseId`. Requires the role `editor`. */
export function joinGroup(releaseId: number, releaseIds: readonly number[]): Promise<Group> {
  return requestJson('POST', '/api/groups/{group_id}/join', {
    path: { group_id: releaseId },
    body: { release_ids: [...releaseIds] },
  });
}

/**
 * Moves `releaseIds` out of the group that contains `releaseId`, into a group of their own.
 * Requires the role `editor`.
 */
export function splitGroup(releaseId: number, releaseIds: readonly number[]): Promise<Group> {
  return requestJson('POST', '/api/groups/{group_id}/split', {
    path: { group_id: releaseId },
    body: { release_ids: [...releaseIds] },
  });
}

const maxFound = 10;

/**
 * Returns up to ten releases that match a search text and are not in the group yet. Searches only
 * the group's platform.
 */
export async function findToJoin(
  { platform, editions }: Group,
  search: string,
  signal: AbortSignal,
): Promise<readonly ReleaseCandidate[]> {
  const present = new Set(editions.flatMap(({ releases }) => releases.map(({ id }) => id)));
  const query = { search, platform, order: 'relevance' as const, limit: 100 };
  const { items } = await requestJson('GET', '/api/releases', { query, signal });
  return items
    .filter(({ id }) => !present.has(id))
    .slice(0, maxFound)
    .map(({ id, name, region, serial }) => ({ id, name, platform: '', region, serial }));
}

/** The reason why a release is or is not in a set. */
export type Explanation = ResponseOf<'getSetsSetIdExplainReleaseId'>;

export function explainInSet(
  set: number,
  releaseId: number,
  signal: AbortSignal,
): Promise<Explanation> {
  return requestJson('GET', '/api/sets/{set_id}/explain/{release_id}', {
    path: { set_id: set, release_id: releaseId },
    signal,
  });
}
