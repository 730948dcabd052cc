import type { Candidate } from './candidate.ts';
import { hasArea, hasDisc, hasRevision, hasVersion, mayHaveVersion } from './edition.ts';
import type { Identity } from './identity.ts';
import type { LookUp } from './look-up.ts';

/**
 * What is left of releases that share evidence, by release id (decisions.md, Minimal variant): of those that the file's
 * own serial names the others go, then by its size, by what the image says of disc number, revision and region, then by
 * its name. What none of them passes decides nothing.
 */
export function narrow(
  candidates: readonly Candidate[],
  lookUp: LookUp,
  { edition }: Pick<Identity, 'edition'>,
): Candidate[] {
  const tests: ((candidate: Candidate) => boolean)[] = [
    ({ serials }) => serials.some((serial) => lookUp.serials.includes(serial)),
    ({ roms }) => roms.some((rom) => rom.size === lookUp.size),
    (candidate) => hasDisc(candidate, edition, lookUp.gameCode),
    (candidate) => hasRevision(candidate, edition),
    (candidate) => hasVersion(candidate, edition),
    (candidate) => mayHaveVersion(candidate, edition),
    (candidate) => hasArea(candidate, edition),
    (candidate) => lookUp.names.some((name) => isNamed(candidate, name)),
  ];
  let left = candidates.toSorted((a, b) => a.releaseId - b.releaseId);
  for (const test of tests) {
    if (left.length < 2) return left;
    const passing = left.filter(test);
    if (passing.length > 0) left = passing;
  }
  return left;
}

function isNamed(candidate: Candidate, name: string): boolean {
  return candidate.names.includes(name) || candidate.roms.some((rom) => rom.name === name);
}
