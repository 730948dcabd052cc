import { Slices } from '../../shared/concurrency/slices.ts';
import type { IdentifiedFile } from '../library-file.ts';
import { methods } from '../library-file.ts';
import type { CatalogueEvidence, StoredScan } from '../ports.ts';
import { type LookedUpPart, lookUpFiles } from './looked-up-files.ts';
import type { Verdict } from './match.ts';
import { matchAlone } from './match-alone.ts';

/** Matches each file alone, not as part of a set. Returns the records to store. */
export async function matchFiles(
  catalogue: Pick<CatalogueEvidence, 'find'>,
  files: readonly IdentifiedFile[],
): Promise<StoredScan[]> {
  const lookedUp = await lookUpFiles(catalogue, files);
  const scans: StoredScan[] = [];
  const slices = new Slices();
  for (const one of lookedUp) {
    const verdict = await matchAlone(one, slices);
    scans.push({ file: one.file, ...verdict, evidence: explain(one, verdict) });
  }
  return scans;
}

/**
 * Returns the values that were read from a file, the ids of the releases that the file matches, and
 * the reasons of the decision. At most 20 ids are returned for each method.
 */
export function explain({ file, evidence }: LookedUpPart, { why }: Pick<Verdict, 'why'>): object {
  const releasesByMethod = methods.flatMap((method) => {
    const ids = evidence[method].slice(0, 20).map((candidate) => candidate.releaseId);
    return ids.length === 0 ? [] : [[method, ids]];
  });
  return { read: file.identity.evidence, pointedAt: Object.fromEntries(releasesByMethod), why };
}
