import type { Verdict } from './match.ts';

/**
 * Returns the release of a playlist: that of its discs, if all are there and have the same one. It
 * has none otherwise, or if an editor chose the first disc's release.
 */
export function matchPlaylist(discs: readonly (Verdict | null)[]): Verdict {
  const [first] = discs;
  const match = first?.match ?? null;
  const agree = discs.every((disc) => disc?.match?.releaseId === match?.releaseId);
  if (match === null || match.method === 'manual' || !agree) return { match: null, tied: [] };
  return { match: { ...match, canonical: null }, tied: [] };
}
