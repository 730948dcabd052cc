import type { Verdict } from './match.ts';

/**
 * Returns the release of a playlist. If all its discs exist and have the same release, the playlist
 * gets that release. Otherwise, and if an editor chose the first disc's release, the playlist gets
 * none.
 */
export function matchPlaylist(discs: readonly (Verdict | null)[]): Verdict {
  const [first] = discs;
  const match = first?.match ?? null;
  const agree = discs.every((disc) => disc?.match?.releaseId === match?.releaseId);
  if (match === null || match.method === 'manual' || !agree) return { match: null, tied: [] };
  return { match: { ...match, canonical: null }, tied: [] };
}
