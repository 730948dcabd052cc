import type { Slices } from '../../shared/concurrency/slices.ts';
import type { Method } from '../library-file.ts';
import { matchDisc } from '../sets/match-disc.ts';
import type { Candidate } from './candidate.ts';
import { canonicalName } from './canonical-name.ts';
import { type LookedUpFile, matchByHash } from './looked-up-files.ts';
import { matchFile, type Verdict } from './match.ts';

/**
 * Matches a file that does not belong to a set. If the file contains several tracks, all tracks are
 * used as evidence.
 */
export async function matchAlone(lookedUp: LookedUpFile, slices: Slices): Promise<Verdict> {
  if (slices.isOver) await slices.next();
  const { file, tracks } = lookedUp;
  if (file.chosen !== undefined) {
    return { match: { ...file.chosen, method: 'manual' }, tied: [], why: [] };
  }
  if (tracks.length === 0) return matchFile(lookedUp, slices);
  const disc = {
    lead: lookedUp,
    parts: [lookedUp, ...tracks],
    tracks: file.identity.tracks,
    sheets: [],
  };
  const verdict = await matchDisc(disc, slices);
  if (verdict === null) return matchFile(lookedUp, slices);
  const [best, ...others] = verdict.candidates;
  if (best === undefined || others.length > 0) {
    const tied = verdict.candidates.map(({ releaseId }) => releaseId);
    return { match: null, tied, why: verdict.why };
  }
  const own = (await ownMethod(lookedUp, best, slices)) ?? verdict.method;
  const { releaseId } = best;
  const canonical = await canonicalName(best, own, lookedUp.lookupKeys, slices);
  return { match: { releaseId, method: own, canonical }, tied: [], why: verdict.why };
}

/**
 * Returns the strongest kind of hash that matches the file with the release. If no hash of the file
 * matches, the hashes of its tracks are used. Returns null if no hash matches.
 */
export async function ownMethod(
  lookedUp: LookedUpFile,
  release: Candidate,
  slices: Slices,
): Promise<Method | null> {
  for (const part of [lookedUp, ...lookedUp.tracks]) {
    const found = await matchByHash(part, slices);
    if (found?.candidates.some(({ releaseId }) => releaseId === release.releaseId)) {
      return found.method;
    }
  }
  return null;
}
