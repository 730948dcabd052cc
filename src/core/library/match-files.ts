import type { Evidence } from './candidate.ts';
import { type IdentifiedFile, methods } from './library-file.ts';
import { lookUpOf } from './look-up.ts';
import { matchFile } from './match.ts';
import type { CatalogueEvidence, StoredScan } from './ports.ts';

/** Files with the releases that they are, ready to be stored. */
export async function matchFiles(
  catalogue: Pick<CatalogueEvidence, 'find'>,
  files: readonly IdentifiedFile[],
): Promise<StoredScan[]> {
  if (files.length === 0) return [];
  const evidence = await catalogue.find(files.map(lookUpOf));
  return files.map((file, index) => {
    const found = evidence[index] as Evidence;
    return { file, ...matchFile(file, found), evidence: explain(file, found) };
  });
}

/** What was read and what it pointed at, in few words. */
function explain(file: IdentifiedFile, evidence: Evidence): object {
  const pointedAt = methods.flatMap((method) => {
    const ids = evidence[method].slice(0, 20).map((candidate) => candidate.releaseId);
    return ids.length === 0 ? [] : [[method, ids]];
  });
  return { read: file.identity.evidence, pointedAt: Object.fromEntries(pointedAt) };
}
