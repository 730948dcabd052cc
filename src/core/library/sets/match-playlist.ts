import type { Verdict } from '../match/match.ts';

/**
 * Returns the release of a playlist. The playlist gets the release of its discs if all discs exist
 * and have the same release. Otherwise, the playlist gets no release. The playlist also gets no
 * release if an editor chose the release of the first disc.
 */
export function matchPlaylist(discs: readonly (Verdict | null)[]): Verdict {
  const [first] = discs;
  const match = first?.match ?? null;
  const agree = discs.every((disc) => disc?.match?.releaseId === match?.releaseId);
  if (match === null || match.method === 'manual' || !agree) return { match: null, tied: [] };
  return { match: { ...match, canonical: null }, tied: [] };
}
