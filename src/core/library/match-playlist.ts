import type { Verdict } from './match.ts';

/**
 * A playlist's release is that of its discs, when all are there and are of the same one; else it has none, nor where an
 * editor chose that of a disc.
 */
export function matchPlaylist(discs: readonly (Verdict | null)[]): Verdict {
  const [first] = discs;
  const match = first?.match ?? null;
  const agree = discs.every((disc) => disc?.match?.releaseId === match?.releaseId);
  if (match === null || match.method === 'manual' || !agree) return { match: null, tied: [] };
  return { match: { ...match, canonical: null }, tied: [] };
}
