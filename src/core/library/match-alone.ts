import type { Candidate } from './candidate.ts';
import { canonicalName } from './canonical-name.ts';
import type { Method } from './library-file.ts';
import { hashPointers, type LookedFile } from './looked-files.ts';
import { matchFile, type Verdict } from './match.ts';
import { matchDisc } from './match-disc.ts';

/** The release of a file that belongs to no set; of the tracks in it all count. */
export function matchAlone(looked: LookedFile): Verdict {
  const { file, tracks } = looked;
  if (file.chosen !== undefined) return { match: { ...file.chosen, method: 'manual' }, tied: [] };
  if (tracks.length === 0) return matchFile(looked);
  const verdict = matchDisc({
    lead: looked,
    parts: [looked, ...tracks],
    beside: file.identity.tracks,
    named: [],
  });
  if (verdict === null) return matchFile(looked);
  const [best, ...others] = verdict.left;
  if (best === undefined || others.length > 0) {
    return { match: null, tied: verdict.left.map(({ releaseId }) => releaseId) };
  }
  const own = ownMethod(looked, best) ?? verdict.method;
  const { releaseId } = best;
  return {
    match: { releaseId, method: own, canonical: canonicalName(best, own, looked.lookUp) },
    tied: [],
  };
}

/** The hash by which a file, or one of the tracks in it, is of a release; null when none is. */
export function ownMethod(looked: LookedFile, release: Candidate): Method | null {
  for (const part of [looked, ...looked.tracks]) {
    const found = hashPointers(part);
    if (found?.candidates.some(({ releaseId }) => releaseId === release.releaseId)) {
      return found.method;
    }
  }
  return null;
}
